import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { applicationEnv } from '#test/helpers/application-env.ts'

export type Ran = { passed: boolean; output: string; seconds: number }

/** After so many seconds a test counts as failed: a planted fault may make it wait for ever. */
const patience = 600

/** Runs one test file of a tree by itself. */
export const runTest = async (tree: string, file: string): Promise<Ran> => {
  const begun = performance.now()
  const child = spawn(process.execPath, [file], {
    cwd: tree,
    // a file that runs by itself has half a minute unless told otherwise
    env: applicationEnv({ TAP_TIMEOUT: String(patience) }),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: (patience + 60) * 1000,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const [code] = await once(child, 'close')
  return { passed: code === 0, output, seconds: Math.round((performance.now() - begun) / 1000) }
}
