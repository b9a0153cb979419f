import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { applicationEnv } from '#test/helpers/application-env.ts'

const run = promisify(execFile)
const program = new URL('./proof.ts', import.meta.url).pathname

/** The exit status of `npm run proof -- …`, and what it said. */
const proof = async (...args: string[]) =>
  run(process.execPath, [program, ...args], { env: applicationEnv() }).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )

t.test('a proof that does not end is broken', async (t) => {
  const { code, stderr } = await proof('shown', '--minutes', '0.001')
  t.equal(code, 1)
  t.match(stderr, /^shown is broken: it has not ended after 0.001 minutes$/m)
})

t.test('its help says after how long', async (t) => {
  t.match(await proof('faults', '--help'), { code: 0, stdout: /--minutes N: broken after so long \(300\)/ })
})

t.test('names that are no proofs are told before anything is played', async (t) => {
  const { code, stderr } = await proof('all', '--resume', '--only', 'nothing')
  t.equal(code, 1)
  t.match(stderr, /^'nothing' must be one of crash, /m)
})
