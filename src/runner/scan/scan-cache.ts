import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FileFacts } from './facts/file-facts.ts'

/*
 * What the last scan of a repository leaves behind, in two files of one directory: its whole answer, and the facts of its files
 * by blob id. All facts are in one file, not one per blob: reading 8,000 small files costs as much as reading and parsing the
 * sources. A cache that is damaged or cannot be written counts as none, and is never an error.
 */

export type Facts = Record<string, FileFacts>

export type ScanCache<Answer> = {
  answer: () => Answer | undefined
  keepAnswer: (answer: Answer) => void
  facts: () => Facts
  keepFacts: (facts: Facts) => void
}

const discard = (path: string): void => {
  try {
    rmSync(path, { force: true })
  } catch {
    // Its directory is not one.
  }
}

/** Written aside and renamed, so a scan at the same time reads a whole file or none. */
const write = (dir: string, name: string, value: unknown): void => {
  const aside = join(dir, `.${name}.${process.pid}`)
  try {
    mkdirSync(dir, { recursive: true })
    writeFileSync(aside, JSON.stringify(value), { mode: 0o600 })
    renameSync(aside, join(dir, name))
  } catch {
    discard(aside)
  }
}

/** @param format of the kept values: an answer or facts in another format are ignored. */
export const openCache = <Answer>(dir: string, repo: string, format: string): ScanCache<Answer> => {
  const name = repo.replaceAll(/[^\w.-]/g, '-')
  const keep = (file: string, value: unknown) => write(dir, file, { format, value })
  const read = (file: string): unknown => {
    try {
      const kept = JSON.parse(readFileSync(join(dir, file), 'utf8'))
      return kept?.format === format ? kept.value : undefined
    } catch {
      return undefined
    }
  }
  return {
    answer: () => read(`scan-${name}.json`) as Answer | undefined,
    keepAnswer: (answer) => keep(`scan-${name}.json`, answer),
    facts: () => (read(`facts-${name}.json`) ?? {}) as Facts,
    keepFacts: (facts) => keep(`facts-${name}.json`, facts),
  }
}

/** For `--no-cache`. */
export const noCache = {
  answer: () => undefined,
  keepAnswer: () => {},
  facts: () => ({}),
  keepFacts: () => {},
} satisfies ScanCache<unknown>
