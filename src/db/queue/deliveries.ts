import { InvalidInputError } from 'slonik'
import { z } from 'zod'
import { type FragmentSqlToken, type Reader, sql } from '../sql.ts'
import { type Lease, leasedUntil } from './job-leases.ts'
import type { JobRow } from './jobs.ts'

export type NewDelivery = {
  id: string
  event: string
  /** JSON text: the database checks that it is. */
  payload: string
}

/** A payload that is not JSON: no delivery of its statement was queued. */
export class NotJson extends Error {}

const AddedDelivery = z.object({
  delivery_id: z.string(),
  id: z.number(),
  installation_id: z.number(),
  created_at: z.date(),
})

/** A delivery that was not queued before. */
export type AddedDelivery = z.infer<typeof AddedDelivery>

/**
 * Queues webhook deliveries, or stores them as taken by a worker of this process; returns those that were not queued before, by their ids. The
 * statement's text depends on their number, so there should be few different numbers: an array of payloads would be escaped letter by letter.
 */
export const addDeliveries = async (
  db: Reader,
  deliveries: readonly NewDelivery[],
  lease?: Lease,
): Promise<Map<string, AddedDelivery>> => {
  // in one order, or two statements with the same deliveries would wait for each other
  const rows = deliveries
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, event, payload }) => sql.fragment`(${event}::text, ${id}::text, ${payload}::jsonb)`)
  try {
    const added = await db.any(sql.type(AddedDelivery)`
      insert into jobs (queue, kind, delivery_id, payload, cause, state, attempt, leased_by, leased_until, installation_id)
      select 'events', event, id, payload, id, ${taken(lease)}, case
        when payload->'installation'->>'id' ~ '^[0-9]{1,18}$' then (payload->'installation'->>'id')::int8 else 0 end
      from (values ${sql.join(rows, sql.fragment`, `)}) as t(event, id, payload)
      on conflict (installation_id, delivery_id) where delivery_id is not null do nothing
      returning delivery_id, id, installation_id, created_at`)
    return new Map(added.map((row) => [row.delivery_id, row]))
  } catch (error) {
    if (error instanceof InvalidInputError) throw new NotJson('a payload is not JSON', { cause: error })
    throw error
  }
}

/** Of deliveries by their ids. */
export type ReadPayloads = ReadonlyMap<string, { event: string; payload: unknown }>

/** What a worker gets that has them from the first. */
export const jobsOf = (added: Iterable<AddedDelivery>, payloads: ReadPayloads): JobRow[] =>
  Array.from(added, ({ delivery_id: id, ...row }) => {
    const read = payloads.get(id)
    if (read === undefined) throw new Error(`the payload of delivery ${id} was not read`)
    const job = { queue: 'events', key: null, lane: null, attempt: 1, last_error: null } as const
    return { ...job, ...row, kind: read.event, delivery_id: id, cause: id, payload: read.payload }
  })

/** State, attempt, worker and the end of the lease. */
const taken = (lease: Lease | undefined): FragmentSqlToken =>
  lease
    ? sql.fragment`'running', 1, ${lease.worker}, ${leasedUntil(lease)}`
    : sql.fragment`'queued', 0, null, null::timestamptz`

const DeliveryIdRow = z.object({ delivery_id: z.string() })

/** The given deliveries that were ever queued, whatever became of them. */
export const knownDeliveries = async (db: Reader, ids: string[]): Promise<Set<string>> => {
  const rows = await db.any(sql.type(DeliveryIdRow)`
    select delivery_id from jobs where delivery_id = any(${sql.array(ids, 'text')})`)
  return new Set(rows.map((row) => row.delivery_id))
}
