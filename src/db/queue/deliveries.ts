import { InvalidInputError } from 'slonik'
import { z } from 'zod'
import { type Reader, sql } from '../sql.ts'

export type NewDelivery = {
  id: string
  event: string
  /** JSON text: the database checks that it is. */
  payload: string
}

/** A payload that is not JSON: no delivery of its statement was queued. */
export class NotJson extends Error {}

const DeliveryIdRow = z.object({ delivery_id: z.string() })

/**
 * Queues webhook deliveries; returns the ids of those that were not queued before. The statement's text depends on their
 * number, so there should be few different numbers: an array of payloads would be escaped letter by letter.
 */
export const addDeliveries = async (db: Reader, deliveries: readonly NewDelivery[]): Promise<Set<string>> => {
  // in one order, or two statements with the same deliveries would wait for each other
  const rows = deliveries
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, event, payload }) => sql.fragment`(${event}::text, ${id}::text, ${payload}::jsonb)`)
  try {
    const added = await db.any(sql.type(DeliveryIdRow)`
      insert into jobs (queue, kind, delivery_id, payload, cause, installation_id)
      select 'events', event, id, payload, id, case
        when payload->'installation'->>'id' ~ '^[0-9]{1,18}$' then (payload->'installation'->>'id')::int8 else 0 end
      from (values ${sql.join(rows, sql.fragment`, `)}) as t(event, id, payload)
      on conflict (installation_id, delivery_id) where delivery_id is not null do nothing
      returning delivery_id`)
    return new Set(added.map((row) => row.delivery_id))
  } catch (error) {
    if (error instanceof InvalidInputError) throw new NotJson('a payload is not JSON', { cause: error })
    throw error
  }
}

/** The given deliveries that were ever queued, whatever became of them. */
export const knownDeliveries = async (db: Reader, ids: string[]): Promise<Set<string>> => {
  const rows = await db.any(sql.type(DeliveryIdRow)`
    select delivery_id from jobs where delivery_id = any(${sql.array(ids, 'text')})`)
  return new Set(rows.map((row) => row.delivery_id))
}
