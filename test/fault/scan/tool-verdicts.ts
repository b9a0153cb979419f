import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** As many files in one process, and as many processes at once. */
const FILES = 200
const AT_ONCE = 2
const TIMEOUT_MS = 120_000

/** `fmt -check` says 0 or 3 of what it can read, and 2 of what it cannot. */
const readable = async (tool: string, dir: string, args: readonly string[]): Promise<boolean> => {
  try {
    const quiet = ['fmt', '-check', '-list=false', '-write=false', '-no-color', ...args]
    await run(tool, quiet, { cwd: dir, timeout: TIMEOUT_MS, maxBuffer: 64 << 20 })
    return true
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code === 3) return true
    if (code === 2) return false
    throw error
  }
}

/** Terraform or OpenTofu, whichever is on the path; undefined if neither is. */
export const installedTool = async (): Promise<string | undefined> => {
  for (const tool of ['terraform', 'tofu'])
    if (
      await run(tool, ['version']).then(
        () => true,
        () => false,
      )
    )
      return tool
  return undefined
}

/** The files that the tool's own parser refuses. A group with such a file is halved until it is found. */
export const refusedByTool = async (tool: string, dir: string, files: readonly string[]): Promise<Set<string>> => {
  const refused = new Set<string>()
  const groups = Array.from({ length: Math.ceil(files.length / FILES) }, (_, i) =>
    files.slice(i * FILES, (i + 1) * FILES),
  )
  const work = async (): Promise<void> => {
    for (let group = groups.pop(); group !== undefined; group = groups.pop()) {
      // a name that begins with a dash would be an option
      if (
        await readable(
          tool,
          dir,
          group.map((file) => `./${file}`),
        )
      )
        continue
      const [first, ...more] = group
      const half = Math.ceil(group.length / 2)
      if (first !== undefined && more.length === 0) refused.add(first)
      else groups.push(group.slice(0, half), group.slice(half))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return refused
}

/** How long the tool takes to check the format of a whole directory. */
export const formatMs = async (tool: string, dir: string): Promise<number> => {
  const begun = performance.now()
  await readable(tool, dir, ['-recursive'])
  return Math.round(performance.now() - begun)
}
