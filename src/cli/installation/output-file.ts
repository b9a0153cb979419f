import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Writable } from 'node:stream'

export type OutputFile = { stream: Writable; done(): Promise<void>; forget(): Promise<void> }

/** What a file is called that is not whole yet. */
const unfinished = (path: string): string => `${path}.part`

/**
 * A file that is there under its name once it is whole; `-` is the standard output. Throws if there is one of the name already.
 */
export const openOutput = (path: string, standardOutput: NodeJS.WritableStream): OutputFile => {
  if (path === '-') {
    // a pipe that is closed tells both: the write, whose failure ends the export, and whoever listens here; nobody listening ends the process
    standardOutput.on('error', () => {})
    const stream = new Writable({
      write: (chunk, _encoding, then) => void standardOutput.write(chunk, then),
    })
    return { stream, done: async () => {}, forget: async () => {} }
  }
  if (existsSync(path)) throw new Error(`--file: ${path} is there already: name another, or move it away`)
  const part = unfinished(path)
  return {
    // on the disk before it has its name
    stream: createWriteStream(part, { flush: true, mode: 0o600 }),
    done: () => rename(part, path),
    forget: () => rm(part, { force: true }),
  }
}
