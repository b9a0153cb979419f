import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { applicationEnv } from '#test/helpers/application-env.ts'
import { playedBy } from './proofs/played-files.ts'

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

t.test(
  'a proof is played again after a change of what it plays: the product, its own files, and what they lead to',
  (t) => {
    const cases: [proof: string, plays: string[], not: string[]][] = [
      [
        'crash',
        ['test/fault/story.ts', 'test/fault/crashing-service.ts', 'test/fault/proofs/server.ts'],
        ['test/fault/walks/walk.ts'],
      ],
      ['walks', ['test/fault/walks/walk.ts', 'test/fault/walks/instance-process.ts'], ['test/fault/story.ts']],
      ['locks', ['test/fault/locks/load.ts', 'test/fault/walks/place.ts'], ['test/fault/walks/play-walks.ts']],
      [
        'fair',
        ['test/fault/fair/hostile-thread.ts', ':(exclude,glob)src/runner/**/*.ts'],
        ['test/fault/fair/fair.test.ts'],
      ],
      ['texts', ['test/fault/texts/client-readers.ts'], [':(exclude,glob)src/runner/**/*.ts']],
      ['planted', ['test'], []],
    ]
    for (const [proof, plays, not] of cases) {
      const played = new Set(playedBy(proof))
      for (const path of ['src', 'machines', 'migrations', 'package-lock.json', ...plays])
        t.ok(played.has(path), `${proof} plays ${path}`)
      for (const path of not) t.notOk(played.has(path), `${proof} does not play ${path}`)
    }
    t.end()
  },
)
