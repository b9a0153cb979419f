import { createHmac, timingSafeEqual } from 'node:crypto'
import { Pool } from 'pg'

/*
 * The floor of a webhook: the bytes' signature is compared in constant time, and the delivery is stored, once, before the
 * answer. Those that come together share an INSERT, as ours do.
 */

export type Delivery = { id: unknown; event: unknown; payload: string }

export type DeliveriesFloor = { put(delivery: Delivery): Promise<void>; end(): Promise<void> }

type Waiting = { delivery: Delivery; resolve(): void; reject(error: unknown): void }

export const openDeliveriesFloor = async (url: string): Promise<DeliveriesFloor> => {
  const pool = new Pool({ connectionString: url, max: 2 })
  pool.on('error', () => {})
  await pool.query(`create table if not exists bare_deliveries (
    id text primary key, event text not null, payload jsonb not null, received_at timestamptz not null default now())`)
  const waiting: Waiting[] = []
  let underWay = 0
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const group = waiting.splice(0)
      try {
        await insert(
          pool,
          group.map(({ delivery }) => delivery),
        )
        for (const { resolve } of group) resolve()
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    underWay -= 1
  }
  return {
    put: (delivery) =>
      new Promise((resolve, reject) => {
        waiting.push({ delivery, resolve, reject })
        if (underWay >= 2) return
        underWay += 1
        setImmediate(drain)
      }),
    end: () => pool.end(),
  }
}

const insert = (pool: Pool, deliveries: Delivery[]): Promise<unknown> =>
  pool.query({
    name: 'add',
    text: `insert into bare_deliveries (id, event, payload)
      select * from unnest($1::text[], $2::text[], $3::jsonb[]) on conflict do nothing`,
    values: [
      deliveries.map(({ id }) => id),
      deliveries.map(({ event }) => event),
      deliveries.map(({ payload }) => payload),
    ],
  })

export const isSigned = (secret: string, body: Buffer, signature: unknown): boolean => {
  const digest = createHmac('sha256', secret).update(body).digest()
  const given = Buffer.from(String(signature).slice('sha256='.length), 'hex')
  return given.length === digest.length && timingSafeEqual(digest, given)
}
