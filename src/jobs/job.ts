import type { z } from 'zod'
import { type Definition, type Urgency, urgencies } from './definition.ts'
import { table } from './table.ts'

export type JobKind = keyof typeof table

/** What is stored of a job of this kind. */
type Stored<K extends JobKind> = z.input<(typeof table)[K]['payload']>

/** What a handler of this kind gets. */
export type Payload<K extends JobKind> = z.output<(typeof table)[K]['payload']>

/** What key and lane of this kind are made of besides the payload. */
type Of<K extends JobKind> = Parameters<(typeof table)[K]['key']>[1]

/** The same table, typed by kind: payload, key and lane fit together, whatever the kind. */
const definitions: { readonly [K in JobKind]: Definition<Stored<K>, Payload<K>, Of<K>> } = table

/** The kinds that this version can handle. */
export const jobKinds: readonly string[] = Object.keys(table)

export const isJobKind = (kind: string): kind is JobKind => Object.hasOwn(table, kind)

/** Something to be done outside the transaction that asks for it, in the form in which it is queued. */
export type Job = {
  kind: JobKind
  key: string
  lane: string | null
  payload: Stored<JobKind>
  /** Id of the request, delivery or job that led to it. */
  cause: string | null
  /** The place of its urgency; absent for the usual one. */
  priority?: number
  /** Absent where the caller need not know it: then the database finds it by the payload. */
  installationId?: number
  /** Not before this time; at once if absent. */
  runAt?: Date
  /** At the pace in which a run is published (src/db/queue/jobs.ts). */
  paced?: boolean
}

type More = { cause: string | null | undefined; runAt?: Date | undefined; paced?: boolean | undefined }

/** Makes a job: the table decides its key and its lane. */
export const makeJob = <K extends JobKind>(kind: K, payload: Stored<K>, more: More & Of<K>): Job => ({
  kind,
  key: definitions[kind].key(payload, more),
  lane: definitions[kind].lane?.(payload, more) ?? null,
  payload,
  cause: more.cause ?? null,
  ...priorityOf(definitions[kind].urgency),
  ...('installationId' in more && typeof more.installationId === 'number' && { installationId: more.installationId }),
  ...(more.runAt && { runAt: more.runAt }),
  ...(more.paced && { paced: true }),
})

const priorityOf = (urgency: Urgency | undefined): { priority?: number } =>
  urgency === undefined ? {} : { priority: urgencies.indexOf(urgency) }

/** The payload of a row of the queue; throws if it is not a payload of this kind. */
export const readPayload = <K extends JobKind>(kind: K, payload: unknown): Payload<K> =>
  definitions[kind].payload.parse(payload)

const joined = <K extends JobKind>(kind: K, earlier: Stored<K>, later: Stored<K>): Stored<K> =>
  definitions[kind].join?.(earlier, later) ?? later

/** One of them that does not keep the pace is enough for both. */
const together = (earlier: Job, { paced, ...later }: Job): Job => ({
  ...later,
  payload: joined(later.kind, earlier.payload, later.payload),
  ...(paced && earlier.paced && { paced }),
})

/** The newest job of each kind and key, with what earlier ones had to do joined in: one statement may not touch a row twice. */
export const coalesced = (jobs: readonly Job[]): Job[] => {
  const byName = new Map<string, Job>()
  for (const job of jobs) {
    const name = `${job.kind} ${job.key}`
    // same name, so same kind
    const earlier = byName.get(name)
    byName.set(name, earlier ? together(earlier, job) : job)
  }
  return [...byName.values()]
}
