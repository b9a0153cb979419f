import { plannedOnce } from './planned-once.ts'
import { nothing, type Pool, sql, type Tx } from './sql.ts'
import { type Tenant, type TenantTx, tenantOf } from './tenant.ts'

/** A row that somebody holds by hand, or a backup: better 503 than to hold connections that others need. */
export const lockTimeout = '5s'

/** Of a transaction: what waits for its commit. */
const afterwards = Symbol('afterwards')

type Waiting = { [afterwards]?: (() => void)[] }

/**
 * Runs `work` in one transaction and returns its result. It runs again if Postgres asks for it (deadlock, serialisation), so
 * nothing outside the database may happen inside; `afterCommit` takes that. If the pool is an installation's, so is the transaction.
 */
export const transact = async <T, P extends Pool>(
  pool: P,
  work: (tx: P extends Tenant ? TenantTx : Tx) => Promise<T>,
): Promise<T> => {
  const installationId = tenantOf(pool)
  let committed: (() => void)[] = []
  const answer = await pool.transaction((tx) => {
    committed = []
    // its own properties, always the same ones: a new prototype for each transaction would cost a result a tenth of its time
    const own = Object.assign(tx, { installationId, [afterwards]: committed })
    return work(own as unknown as P extends Tenant ? TenantTx : Tx)
  })
  for (const then of committed) then()
  return answer
}

/** Calls `then` after the commit: never if the transaction is rolled back, once even if it had to run again. */
export const afterCommit = (tx: Tx, then: () => void): void => {
  const list = (tx as Tx & Waiting)[afterwards]
  if (!list) throw new Error('a transaction that transact did not begin')
  list.push(then)
}

/**
 * Lets the transaction wait only a moment for rows that others hold. Those of other instances are held for some milliseconds;
 * the pool's limit of 5 s is for rows that a stranger holds. What locks its runs comes next, and is planned once already: by many ids
 * it was planned each time.
 */
export const waitBriefly = async (tx: Tx): Promise<void> => {
  await tx.query(sql.type(nothing)`select set_config('lock_timeout', '250ms', true), ${plannedOnce}`)
}

/** Ends that: rows are waited for as the pool has it. */
export const waitLonger = async (tx: Tx): Promise<void> => {
  await tx.query(sql.type(nothing)`select set_config('lock_timeout', ${lockTimeout}, true)`)
}
