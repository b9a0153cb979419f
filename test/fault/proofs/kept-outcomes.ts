import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What came of a proof; `report` is its last line, of one that prints reports. */
export type Outcome = { proof: string; holds: boolean; seconds: number; report?: unknown }

/** Of which sources an outcome is, and of which commit that had them. */
type Kept = Outcome & { sources: string; commit: string }

export type KeptOutcomes = {
  /** What was seen to hold of these sources. */
  find(proof: string): Promise<Outcome | undefined>
  keep(outcome: Outcome): Promise<void>
}

const root = new URL('../../../', import.meta.url).pathname
const folder = join(root, 'docs/proved')

/** What proofs run. A page of docs may change without a proof being played again. */
const proved = ['src', 'machines', 'migrations', 'deploy', 'test', 'Dockerfile', 'package-lock.json']

const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

/** A digest of what is committed of them; none while they differ from it: what was proved of other sources says nothing of these. */
const sourcesOf = (): string | undefined => {
  if (git('status', '--porcelain', '--untracked-files=no', '--', ...proved) !== '') return undefined
  return createHash('sha256')
    .update(git('ls-tree', 'HEAD', '--', ...proved))
    .digest('hex')
    .slice(0, 40)
}

/**
 * What was seen to hold, a file a proof in docs/proved, to be committed: all proofs take longer than most machines are left alone, so they are
 * played in parts, on one machine or several. Keeps nothing of sources with changes.
 */
export const keptOutcomes = (): KeptOutcomes => {
  const sources = sourcesOf()
  const fileOf = (proof: string): string => join(folder, `${proof}.json`)
  return {
    find: async (proof) => {
      const text = await readFile(fileOf(proof), 'utf8').catch(() => undefined)
      if (text === undefined || sources === undefined) return undefined
      const { sources: of, commit: _, ...outcome } = JSON.parse(text) as Kept
      return of === sources ? outcome : undefined
    },
    keep: async (outcome) => {
      if (sources === undefined || sources !== sourcesOf()) return
      if (!outcome.holds) return rm(fileOf(outcome.proof), { force: true })
      await mkdir(folder, { recursive: true })
      const kept: Kept = { sources, commit: git('rev-parse', 'HEAD'), ...outcome }
      await writeFile(fileOf(outcome.proof), `${JSON.stringify(kept, undefined, 2)}\n`)
    },
  }
}
