import { applyPlace } from '#domain/config/apply-place.ts'
import type { RepoConfig } from '#domain/config/config-file.ts'
import { storedGraph } from '#domain/graph/graph.ts'
import { DependsOnFault } from '#domain/resolution/depends-on.ts'
import type { AffectedStack } from '#domain/resolution/resolution.ts'
import { resolve } from '#domain/resolution/resolve.ts'

/** Which stacks: all that the repository has, those of these keys as an apply takes them, or those that depend on what was changed elsewhere. */
export type Wanted = { all: true } | { keys: readonly string[] } | { changedStacks: readonly string[] }

/** A graph that is recorded, as JSON text, and the default branch's configuration. Plain data. */
export type Recorded = { graph: string; config: RepoConfig }

/** A stack as an apply takes it where keys were asked for, or as plans do. */
export type RecordedStack = Omit<AffectedStack, 'runs_on'> & { runs_on?: string[] | undefined }

export type ResolvedRecorded =
  | { ok: false; reason: string }
  | {
      ok: true
      stacks: RecordedStack[]
      /** Those of `keys` that the graph does not have. */
      unknown: string[]
      /** Spelled out; `stacks` are in no waves then. */
      cycles: string[]
    }

/**
 * The stacks of a recorded graph in waves, as the default branch's configuration has them; or why they cannot be ordered. The work
 * itself: the resolver does it where it holds nobody up.
 */
export const resolveRecorded = (recorded: Recorded, wanted: Wanted): ResolvedRecorded => {
  try {
    return resolved(recorded, wanted)
  } catch (error) {
    if (error instanceof DependsOnFault) return { ok: false, reason: error.message }
    throw error
  }
}

const resolved = ({ graph: text, config }: Recorded, wanted: Wanted): ResolvedRecorded => {
  const graph = storedGraph(text)
  const own = new Set(graph.stacks.flatMap(({ key, external }) => (external ? [] : [key])))
  const unknown = 'keys' in wanted ? wanted.keys.filter((key) => !own.has(key)) : []
  if (unknown.length > 0) return { ok: true, stacks: [], unknown, cycles: [] }
  const defaultBranch = { config, graph }
  const { affected, cycles } = resolve({ graph, changedPaths: [], config, defaultBranch, ...askedOf(wanted, own) })
  if (!('keys' in wanted)) return { ok: true, stacks: affected, unknown, cycles }
  // a restriction reads a directory's name as all of its instances; here a key means one stack
  const asked = new Set(wanted.keys)
  const stacks = affected.filter(({ key }) => asked.has(key))
  return { ok: true, stacks: stacks.map((stack) => ({ ...stack, ...applyPlace(config, stack) })), unknown, cycles }
}

const askedOf = (wanted: Wanted, own: ReadonlySet<string>): { restrict?: string[]; changedStacks?: string[] } => {
  if ('changedStacks' in wanted) return { changedStacks: [...wanted.changedStacks] }
  return { restrict: 'keys' in wanted ? [...wanted.keys] : [...own] }
}
