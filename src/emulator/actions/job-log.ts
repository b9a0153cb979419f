import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { finished } from 'node:stream/promises'

/** Log of one job: a file, and a listener for each new line. Masked values never reach either. */
export type JobLog = {
  /** A line from the runner itself. */
  write(line: string): void
  /** A line that a step printed: workflow commands in it take effect. */
  print(line: string): void
  /** Begins a new step: commands that the previous step stopped work again. */
  resume(): void
  mask(secret: string): void
  /** Whether a text holds a masked value; such a text may not become an output. */
  holdsSecret(text: string): boolean
  close(): Promise<void>
}

const command = /^\s*::([a-z-]+)(?:\s+(.*?))?::(.*)$/i

const decode = (text: string): string => text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%')

/** Shown as GitHub's log shows them, `##[name]text`; other commands stay as printed. */
const shown = new Set(['group', 'endgroup', 'error', 'warning', 'notice'])

const createMasks = () => {
  const masks = new Set<string>()
  return {
    add: (secret: string) => {
      for (const part of [secret, ...secret.split(/\r?\n/)]) if (part.trim() !== '') masks.add(part)
    },
    // Longest first: a secret that begins with another one must not show its rest.
    hide: (text: string) =>
      [...masks].sort((a, b) => b.length - a.length).reduce((hidden, mask) => hidden.replaceAll(mask, '***'), text),
    found: (text: string) => [...masks].some((mask) => text.includes(mask)),
  }
}

/**
 * Opens the log file. Commands known: add-mask, group, endgroup, error, warning, notice, debug and stop-commands.
 * Source: docs.github.com, 'Workflow commands for GitHub Actions'.
 */
export const createJobLog = async (path: string, onText: (text: string) => void): Promise<JobLog> => {
  await mkdir(dirname(path), { recursive: true })
  const file = createWriteStream(path)
  const masks = createMasks()
  let stoppedUntil: string | undefined

  const write = (line: string): void => {
    const text = `${masks.hide(line)}\n`
    file.write(text)
    onText(text)
  }

  const obey = (name: string, message: string): void => {
    if (name === 'add-mask') masks.add(decode(message))
    if (name === 'stop-commands') stoppedUntil = message
  }

  const print = (line: string): void => {
    if (stoppedUntil !== undefined) {
      if (line.trim() === `::${stoppedUntil}::`) stoppedUntil = undefined
      write(line)
      return
    }
    const [, found, , message = ''] = command.exec(line) ?? []
    const name = found?.toLowerCase()
    if (name) obey(name, message)
    if (name !== 'debug') write(name && shown.has(name) ? `##[${name}]${decode(message)}` : line)
  }

  return {
    write,
    print,
    resume: () => {
      stoppedUntil = undefined
    },
    mask: masks.add,
    holdsSecret: masks.found,
    close: () => {
      file.end()
      return finished(file)
    },
  }
}
