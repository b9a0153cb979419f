import { limits } from '#domain/limits.ts'

/** What svc resolve gives for one stack of the matrix; `stack` is its directory. */
export type StackEntry = {
  stack: string
  key: string
  sha: string
  wave?: number | undefined
  environment?: string | undefined
  tool?: string | undefined
  tool_version?: string | undefined
  plan_output?: string | undefined
  instance?: string | undefined
  workspace?: string | undefined
  /** Labels of the runners that its job asks for. */
  runs_on?: string[] | undefined
  /** For a stack that only the default branch's configuration knows: what the head's svc.yml cannot say. */
  var_files?: string[] | undefined
  backend_config?: string[] | undefined
}

/** A stack of a group: its key alone, or its key with the fields that differ within the group. */
export type Member = string | (Partial<StackEntry> & { key: string })

/** Several stacks that one job plans one after another: `stack` and `key` only name the group for people. */
export type GroupEntry = Partial<StackEntry> & { stack: string; key: string; sha: string; stacks: Member[] }

/** What a workflow may set a job up by. Stacks that differ in it should not share a job. */
const setUpBy = ['environment', 'tool', 'tool_version', 'runs_on'] as const

const shared = ['sha', 'wave', ...setUpBy, 'plan_output', 'workspace'] as const

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const bucketsOf = (entries: readonly StackEntry[]): StackEntry[][] => {
  const buckets = new Map<string, StackEntry[]>()
  for (const entry of entries) {
    const signature = JSON.stringify(setUpBy.map((field) => entry[field]))
    const bucket = buckets.get(signature)
    if (bucket === undefined) buckets.set(signature, [entry])
    else bucket.push(entry)
  }
  return [...buckets.values()]
}

const chunks = (entries: readonly StackEntry[], size: number): StackEntry[][] =>
  Array.from({ length: Math.ceil(entries.length / size) }, (_, i) => entries.slice(i * size, (i + 1) * size))

/**
 * The smallest group size that gives few enough groups. If there are more ways to set a job up than jobs, stacks with different
 * ways share a job after all.
 */
const groupsOf = (entries: readonly StackEntry[], most: number): StackEntry[][] => {
  const buckets = bucketsOf(entries)
  const smallest = Math.ceil(entries.length / most)
  if (buckets.length > most) return chunks(buckets.flat(), smallest)
  let size = smallest
  while (buckets.reduce((sum, bucket) => sum + Math.ceil(bucket.length / size), 0) > most) size += 1
  return buckets.flatMap((bucket) => chunks(bucket, size))
}

const memberOf = (entry: StackEntry, common: ReadonlySet<string>): Member => {
  // The directory and the instance are in the key.
  const own = Object.entries(entry).filter(
    ([field, value]) => value !== undefined && !common.has(field) && field !== 'stack' && field !== 'instance',
  )
  return own.length === 1 ? entry.key : { ...Object.fromEntries(own), key: entry.key }
}

const groupEntry = (members: readonly StackEntry[]): StackEntry | GroupEntry => {
  const [first] = members
  if (first === undefined || members.length === 1) return first as StackEntry
  const common = shared.filter((field) => members.every((entry) => isSame(entry[field], first[field])))
  const name = `${first.key} and ${members.length - 1} more`
  return {
    ...Object.fromEntries(common.flatMap((field) => (first[field] === undefined ? [] : [[field, first[field]]]))),
    sha: first.sha,
    stack: name,
    key: name,
    stacks: members.map((entry) => memberOf(entry, new Set(common))),
  }
}

/**
 * The job matrix, in which a workflow run may have at most 256 jobs: an entry per stack while they fit, else groups of stacks in
 * the given order. Source: docs.github.com, 'Actions limits'.
 */
export const groupMatrix = (
  entries: readonly StackEntry[],
  most: number = limits.matrixJobs,
): (StackEntry | GroupEntry)[] =>
  entries.length <= most ? [...entries] : groupsOf(entries, most).map((members) => groupEntry(members))
