import { execFile } from 'node:child_process'
import { Problem } from '#errors.ts'

const MAX_OUTPUT_BYTES = 256 * 1024 * 1024

type Ran = { ok: true; output: string } | { ok: false; reason: string }

const run = (dir: string, args: readonly string[]): Promise<Ran> =>
  new Promise((done) => {
    execFile('git', ['-C', dir, ...args], { maxBuffer: MAX_OUTPUT_BYTES }, (error, output, errors) => {
      if (error === null) return done({ ok: true, output })
      const isMissing = 'code' in error && error.code === 'ENOENT'
      done({ ok: false, reason: isMissing ? 'git is not on the PATH' : errors.trim() || error.message })
    })
  })

/** Standard output of git in a directory. Throws a Problem with git's own words if git fails. */
export const git = async (dir: string, ...args: string[]): Promise<string> => {
  const ran = await run(dir, args)
  if (!ran.ok) throw new Problem('invalid', `git ${args[0]}: ${ran.reason}`)
  return ran.output
}

/** The same; undefined if git fails. */
export const askGit = async (dir: string, ...args: string[]): Promise<string | undefined> => {
  const ran = await run(dir, args)
  return ran.ok ? ran.output : undefined
}

/** The entries of an output that git wrote with -z. */
export const entries = (output: string): string[] => output.split('\0').filter((entry) => entry !== '')
