import { execFileSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What came of a proof; `report` is its last line, of one that prints reports. */
export type Outcome = { proof: string; holds: boolean; seconds: number; report?: unknown }

export type KeptOutcomes = {
  /** What came of the proof when it was last played on these sources. */
  find(proof: string): Promise<Outcome | undefined>
  keep(outcome: Outcome): Promise<void>
}

const root = new URL('../../../', import.meta.url).pathname

const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

/** The commit, if nothing in the checkout differs from it: what was proved of other sources says nothing of these. */
const commitOf = (): string | undefined =>
  git('status', '--porcelain', '--untracked-files=no') === '' ? git('rev-parse', 'HEAD') : undefined

/**
 * Outcomes of proofs by commit, below tmp/proofs: all proofs take longer than most machines are left alone, so they are played in
 * parts. Keeps nothing of a checkout with changes.
 */
export const keptOutcomes = (): KeptOutcomes => {
  const commit = commitOf()
  const folder = join(root, 'tmp/proofs', commit ?? '')
  const fileOf = (proof: string): string => join(folder, `${proof}.json`)
  return {
    find: async (proof) => {
      if (commit === undefined) return undefined
      const text = await readFile(fileOf(proof), 'utf8').catch(() => undefined)
      return text === undefined ? undefined : (JSON.parse(text) as Outcome)
    },
    keep: async (outcome) => {
      if (commit === undefined || commit !== commitOf()) return
      await mkdir(folder, { recursive: true })
      await writeFile(fileOf(outcome.proof), JSON.stringify(outcome))
    },
  }
}
