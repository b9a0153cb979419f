import type { Consumer, ModuleDetail } from '../api/modules.ts'

/** A version with the stacks that ask for it; one that stacks ask for and no tag names has no date. */
export type Rung = { version: string; taggedAt?: string | undefined; stacks: readonly Consumer[]; isKnown: boolean }

export type Ladder = {
  /** Newest first. */
  rungs: readonly Rung[]
  /** Those whose ref says no version: how far behind they are cannot be said. */
  without: readonly Consumer[]
  behind: readonly Consumer[]
}

/** The number in a tag: of `net/v1.2.0` and of `1.2.0` it is the same. */
const numberOf = (tag: string): string => tag.slice(tag.lastIndexOf('/') + 1).replace(/^v/, '')

/** Which stacks ask for which version. */
export const ladderOf = ({ versions = [], consumers = [] }: ModuleDetail): Ladder => {
  const withVersion = consumers.filter(({ behind }) => behind !== undefined)
  const tagged = new Set(versions.map(({ version }) => version))
  const byNumber = new Map(versions.map(({ version }) => [numberOf(version), version]))
  const askedBy = Map.groupBy(withVersion, ({ ref = '' }) =>
    tagged.has(ref) ? ref : (byNumber.get(numberOf(ref)) ?? ref),
  )
  const rungs: Rung[] = versions.map(({ version, tagged_at: taggedAt }) => ({
    ...{ version, taggedAt, stacks: askedBy.get(version) ?? [], isKnown: true },
  }))
  // as far below the newest as its stacks are behind
  for (const [version, stacks] of askedBy) {
    if (tagged.has(version)) continue
    rungs.splice(stacks[0]?.behind ?? 0, 0, { version, stacks, isKnown: false })
  }
  return {
    rungs,
    without: consumers.filter(({ behind }) => behind === undefined),
    behind: withVersion.filter(({ behind = 0 }) => behind > 0).toSorted(furthestFirst),
  }
}

/** Furthest behind first; those of which it cannot be said come last. */
const furthestFirst = (a: Consumer, b: Consumer): number => (b.behind ?? -1) - (a.behind ?? -1)

/** A line of the ladder as drawn: a version, or several below each other that nobody asks for. */
export type Step = Rung | { nobody: readonly Rung[] }

/** From so many on, versions that nobody asks for are one line. */
const foldFrom = 3

/** The newest version is always a line of its own. */
export const stepsOf = (rungs: readonly Rung[]): Step[] => {
  const steps: Step[] = []
  let idle: Rung[] = []
  const settle = (): void => {
    steps.push(...(idle.length >= foldFrom ? [{ nobody: idle }] : idle))
    idle = []
  }
  for (const [at, rung] of rungs.entries()) {
    if (rung.stacks.length === 0 && at > 0) {
      idle.push(rung)
      continue
    }
    settle()
    steps.push(rung)
  }
  settle()
  return steps
}

/** A row of the matrix: a repository, how many of its stacks ask for each version, and how many for none. */
export type MatrixRow = { repo: string; counts: number[]; without: number; total: number }

/** Repositories by versions that somebody asks for, most stacks first. */
export const matrixOf = ({ rungs, without }: Ladder): { versions: string[]; rows: MatrixRow[] } => {
  const used = rungs.filter(({ stacks }) => stacks.length > 0)
  const all = [...used.flatMap(({ stacks }) => stacks), ...without]
  const count = (stacks: readonly Consumer[], repo: string): number => stacks.filter((one) => one.repo === repo).length
  const rows = [...Map.groupBy(all, ({ repo }) => repo)].map(([repo, { length: total }]) => ({
    ...{ repo, total, without: count(without, repo) },
    counts: used.map(({ stacks }) => count(stacks, repo)),
  }))
  return { versions: used.map(({ version }) => version), rows: rows.toSorted((a, b) => b.total - a.total) }
}

/** Of one repository, at one version, or both; `none` is no version. */
export const chosenStacks = (
  { rungs, without }: Ladder,
  { repo, at }: { repo?: string | undefined; at?: string | undefined },
): Consumer[] => {
  const versioned = rungs.filter(({ version }) => at === undefined || version === at).flatMap(({ stacks }) => stacks)
  const all = [...versioned, ...(at === undefined || at === 'none' ? without : [])]
  return all.filter((one) => repo === undefined || one.repo === repo).toSorted(furthestFirst)
}

/** Lines to paste where the work is handed out. */
export const asText = (stacks: readonly Consumer[]): string =>
  stacks.map(({ repo, stack_key: key, ref, behind }) => `${repo}//${key} asks for ${ref}, ${behind} behind`).join('\n')
