import type { Test } from 'tap'
import type { Seam } from '#db/pool.ts'

type Seen = { runs: string[]; locks: string[]; own: string; stored: string | undefined }

/** What others wait for who may have locks in their hands: a job of the same key, how a stack stands. */
const stores = /insert into jobs|insert into stack_standings as|update stack_standings/
const locksRuns = /from runs r[\s\S]*for no key update/
const locksLocks = /for no key update of l$/

/**
 * Watches the statements of a pool for the one order in which transactions lock: runs, then the locks of stacks, each by rising ids, and
 * neither after anything was stored that others wait for. Whoever keeps to it never waits in a circle. Circles themselves are rare: one
 * that stood in the code was seen once in 100,000 operations. The test fails that breaks the order, whether or not anybody else was there.
 */
export const watchLockOrder = (t: Pick<Test, 'teardown'>): Seam => {
  const broken: string[] = []
  t.teardown(() => {
    if (broken.length > 0) throw new Error(broken.join('\n'))
  })
  return lockOrder((problem) => broken.push(problem))
}

/** The same for a process without a test: `tell` gets each breach of the order. */
export const lockOrder = (tell: (problem: string) => void): Seam => {
  const seen = new Map<string, Seen>()
  return (step, values, { transaction, rows } = { transaction: null }) => {
    if (transaction === null) return
    const state = seen.get(transaction) ?? { runs: [], locks: [], own: '', stored: undefined }
    seen.set(transaction, state)
    if (step.includes('insert into runs')) state.own += JSON.stringify(values)
    if (stores.test(step)) state.stored ??= headOf(step)
    const kind = locksLocks.test(step.trimEnd()) ? 'locks' : locksRuns.test(step) ? 'runs' : undefined
    if (kind === undefined || rows === undefined) return
    const ids = rows.map((row) => String(row[kind === 'locks' ? 'stack_id' : 'id']))
    const problem = problemOf(state, kind, ids)
    if (problem !== undefined) tell(`out of the order of locks: ${problem}\n${callers()}`)
    state[kind].push(...ids)
  }
}

const headOf = (step: string): string => step.replaceAll(/\s+/g, ' ').slice(0, 100)

/** Who asked for the statement, without the ways of Slonik and Node. */
const callers = (): string => {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 30
  const { stack = '' } = new Error()
  Error.stackTraceLimit = limit
  return stack
    .split('\n')
    .filter((line) => !/node_modules|node:internal|lock-order/.test(line) && line.startsWith('    at'))
    .join('\n')
}

/** What a transaction makes itself is nobody else's yet. */
const problemOf = ({ runs, locks, own, stored }: Seen, kind: 'runs' | 'locks', ids: string[]): string | undefined => {
  const known = kind === 'runs' ? runs : locks
  const last = known.toSorted().at(-1)
  const fresh = ids.filter((id) => !known.includes(id) && !own.includes(id))
  if (fresh.length === 0) return undefined
  if (stored !== undefined) return `${kind} ${fresh} after this was stored: ${stored}`
  if (kind === 'runs' && locks.length > 0) return `runs ${fresh} after locks ${locks}`
  return fresh.some((id) => last !== undefined && id < last) ? `${kind} ${fresh} after ${last}` : undefined
}
