import { limits } from '#domain/limits.ts'

/** What svc resolve gives one stack of the matrix; `stack` is its directory. */
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
  /** Of a stack that only the default branch's configuration knows: what svc.yml of the head cannot say. */
  var_files?: string[] | undefined
  backend_config?: string[] | undefined
}

/** A stack of a group: its key, or with it the fields that are not the same in the whole group. */
export type Member = string | (Partial<StackEntry> & { key: string })

/** Several stacks that one job plans one after another: `stack` and `key` only name the group for people. */
export type GroupEntry = Partial<StackEntry> & { stack: string; key: string; sha: string; stacks: Member[] }

/** What a workflow may set a job up by: stacks that differ in it are better not in one job. */
const setUpBy = ['environment', 'tool', 'tool_version'] as const

const shared = ['sha', 'wave', ...setUpBy, 'plan_output', 'workspace'] as const

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
 * The smallest size of a group with which there are few enough of them. Where there are more ways to set a job up than jobs,
 * stacks of different ones share a job after all.
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
  const common = shared.filter((field) => members.every((entry) => entry[field] === first[field]))
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
 * The job matrix, in which no workflow run may have more than 256 jobs: an entry a stack while they fit, else groups of
 * stacks in the order given. Source: docs.github.com, 'Actions limits'.
 */
export const groupMatrix = (
  entries: readonly StackEntry[],
  most: number = limits.matrixJobs,
): (StackEntry | GroupEntry)[] =>
  entries.length <= most ? [...entries] : groupsOf(entries, most).map((members) => groupEntry(members))
