import { execFileSync } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { playedBy } from './played-files.ts'

/** What came of a proof; `report` is its last line, of one that prints reports. */
export type Outcome = { proof: string; holds: boolean; seconds: number; report?: unknown }

/** Of which commit it is. */
type Kept = Outcome & { commit: string }

export type KeptOutcome = {
  /** What was seen to hold, if nothing that the proof plays has changed since. */
  find(): Promise<Outcome | undefined>
  keep(outcome: Outcome): Promise<void>
}

const root = new URL('../../../', import.meta.url).pathname
const folder = join(root, 'docs/proved')

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

const isCommitted = (paths: readonly string[]): boolean =>
  git('status', '--porcelain', '--untracked-files=no', '--', ...paths) === ''

/** A clone may not have the commit. */
const isSame = (commit: string, paths: readonly string[]): boolean => {
  try {
    return git('diff', '--name-only', commit, 'HEAD', '--', ...paths) === ''
  } catch {
    return false
  }
}

/**
 * What was seen to hold of a proof, in a file of docs/proved that is to be committed: all proofs take longer than most machines are left alone, so
 * they are played in parts, on one machine or several. Made before the proof is played: keeps nothing of sources that changed meanwhile.
 */
export const keptOutcome = (proof: string): KeptOutcome => {
  const played = playedBy(proof)
  const commit = isCommitted(played) ? git('rev-parse', 'HEAD') : undefined
  const file = join(folder, `${proof}.json`)
  return {
    find: async () => {
      const text = await readFile(file, 'utf8').catch(() => undefined)
      if (text === undefined || commit === undefined) return undefined
      const { commit: of, ...outcome } = JSON.parse(text) as Kept
      return isSame(of, played) ? outcome : undefined
    },
    keep: async (outcome) => {
      if (commit === undefined || !isCommitted(played) || !isSame(commit, played)) return
      if (!outcome.holds) return rm(file, { force: true })
      await mkdir(folder, { recursive: true })
      const kept: Kept = { commit, ...outcome }
      await writeFile(file, `${JSON.stringify(kept, undefined, 2)}\n`)
    },
  }
}
