import { type Client, escapeLiteral } from 'pg'
import type { TenantTx } from '#db/tenant.ts'

export type Statement = { text: string; values: readonly unknown[] }

/** The transaction, or what else asks the database, which writes down what it is asked. */
export const heard = <D extends TenantTx>(db: D, statements: Statement[]): D =>
  new Proxy(db, {
    get: (target, name) => {
      const method = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return (query: { sql: string; values: readonly unknown[] }) => {
        statements.push({ text: query.sql.replaceAll('$slonik_', '$'), values: query.values })
        return method.call(target, query)
      }
    },
  })

/** How a statement is run with a plan that was made once for all values, as `explain` with these options says it. */
export const genericPlan = async (client: Client, { text, values }: Statement, options: string): Promise<string> => {
  await client.query('begin')
  await client.query('set local plan_cache_mode = force_generic_plan')
  await client.query(`prepare asked as ${text}`)
  const given = values.map((value) => literal(value)).join(', ')
  const { rows } = await client.query(`explain (${options}) execute asked${given && `(${given})`}`)
  await client.query('rollback')
  await client.query('deallocate asked')
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

const literal = (value: unknown): string => {
  if (value === null || value === undefined) return 'null'
  return escapeLiteral(
    Array.isArray(value) ? `{${value.map((one) => JSON.stringify(String(one))).join(',')}}` : String(value),
  )
}
