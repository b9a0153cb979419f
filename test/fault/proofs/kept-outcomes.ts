import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What came of a proof; `report` is its last line, of one that prints reports. */
export type Outcome = { proof: string; holds: boolean; seconds: number; report?: unknown }

/** Of which sources an outcome is, and of which commit that had them. */
type Kept = Outcome & { sources: string; commit: string }

export type KeptOutcome = {
  /** What was seen to hold of these sources. */
  find(): Promise<Outcome | undefined>
  keep(outcome: Outcome): Promise<void>
}

const root = new URL('../../../', import.meta.url).pathname
const folder = join(root, 'docs/proved')

/** What proofs run. A page of docs may change without a proof being played again. */
const proved = ['src', 'machines', 'migrations', 'deploy', 'test', 'Dockerfile', 'package-lock.json']

const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

/** These play tests; the others what tests use. */
const playsTests = ['neighbours', 'planted']
const isOf = (proof: string, path: string): boolean => playsTests.includes(proof) || !path.endsWith('.test.ts')

/** A digest of what is committed of them; none while they differ from it: what was proved of other sources says nothing of these. */
const sourcesOf = (proof: string): string | undefined => {
  if (git('status', '--porcelain', '--untracked-files=no', '--', ...proved) !== '') return undefined
  const files = git('ls-tree', '-r', 'HEAD', '--', ...proved).split('\n')
  const sum = createHash('sha256')
  for (const line of files.filter((file) => isOf(proof, file))) sum.update(`${line}\n`)
  return sum.digest('hex').slice(0, 40)
}

/**
 * What was seen to hold of a proof, in a file of docs/proved that is to be committed: all proofs take longer than most machines are left alone, so
 * they are played in parts, on one machine or several. Made before the proof is played: keeps nothing of sources that changed meanwhile.
 */
export const keptOutcome = (proof: string): KeptOutcome => {
  const sources = sourcesOf(proof)
  const file = join(folder, `${proof}.json`)
  return {
    find: async () => {
      const text = await readFile(file, 'utf8').catch(() => undefined)
      if (text === undefined || sources === undefined) return undefined
      const { sources: of, commit: _, ...outcome } = JSON.parse(text) as Kept
      return of === sources ? outcome : undefined
    },
    keep: async (outcome) => {
      if (sources === undefined || sources !== sourcesOf(proof)) return
      if (!outcome.holds) return rm(file, { force: true })
      await mkdir(folder, { recursive: true })
      const kept: Kept = { sources, commit: git('rev-parse', 'HEAD'), ...outcome }
      await writeFile(file, `${JSON.stringify(kept, undefined, 2)}\n`)
    },
  }
}
