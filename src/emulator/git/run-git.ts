import { spawn } from 'node:child_process'

export type GitResult = { code: number; output: Buffer; errors: string }

/** No configuration of this machine or of the person who runs the emulator may change what its repositories do. */
const environment = (extra: Record<string, string>): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  ...extra,
})

/** Runs git in a repository and hands back exit code and output, whatever they are. */
export const tryGit = (
  dir: string,
  args: string[],
  options: { input?: string | Buffer; env?: Record<string, string> } = {},
): Promise<GitResult> =>
  new Promise((resolve, reject) => {
    const child = spawn('git', ['-C', dir, ...args], { env: environment(options.env ?? {}) })
    const output: Buffer[] = []
    const errors: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
    child.on('error', reject)
    child.on('close', (code) =>
      resolve({ code: code ?? -1, output: Buffer.concat(output), errors: Buffer.concat(errors).toString() }),
    )
    // git may end before it has read everything (a refused import): its exit code tells, not the broken pipe.
    child.stdin.on('error', () => {})
    child.stdin.end(options.input ?? '')
  })

/** Runs git where anything but success is a mistake of the emulator or its caller. */
export const git = async (
  dir: string,
  args: string[],
  options: { input?: string | Buffer; env?: Record<string, string> } = {},
): Promise<string> => {
  const { code, output, errors } = await tryGit(dir, args, options)
  if (code !== 0) throw new Error(`git ${args.join(' ')} in ${dir}: exit ${code}: ${errors.trim()}`)
  return output.toString()
}
