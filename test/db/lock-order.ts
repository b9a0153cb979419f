import type { Test } from 'tap'
import type { Seam } from '#db/pool.ts'

type Kind = 'runs' | 'locks' | 'repository'
type Seen = {
  runs: string[]
  locks: string[]
  repository: string[]
  own: string
  standings?: string
  jobs?: string
  isOut: boolean
}

/** What others wait for who may have locks in their hands: how a stack stands, a job of the same key. A new stack's is nobody else's. */
const stores = {
  standings: /insert into stack_standings (as |\(installation_id, stack_id, repo_id, listed)|update stack_standings/,
  jobs: /insert into jobs/,
} as const
const locking: readonly [Kind, RegExp][] = [
  // not those that are only read beside a run and its row, which are locked
  ['locks', /from locks [\s\S]*for no key update(?! of r)/],
  ['runs', /from runs [\s\S]*for no key update/],
  ['repository', /select id from repositories where id = \S+ for (no key )?update/],
]

/**
 * Watches the statements of a pool for the one order in which transactions lock: runs, then the locks of stacks, each by rising ids, then the
 * repository's row; the first two before anything is stored that others wait for, the row before it is stored how stacks stand. Whoever
 * keeps to it never waits in a circle. Circles themselves are rare: one that stood in the code was seen once in 100,000 operations. The test
 * fails that breaks the order, whether or not anybody else was there.
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
    const known = seen.get(transaction)
    // a statement that did not end failed, and the transaction began anew
    const state = known === undefined || (known.isOut && rows === undefined) ? fresh() : known
    seen.set(transaction, state)
    if (seen.size > 1000) for (const first of [...seen.keys()].slice(0, 500)) seen.delete(first)
    state.isOut = rows === undefined
    if (step.includes('insert into runs')) state.own += JSON.stringify(values)
    for (const what of ['standings', 'jobs'] as const) if (stores[what].test(step)) state[what] ??= headOf(step)
    const kind = locking.find(([, pattern]) => pattern.test(step))?.[0]
    if (kind === undefined || rows === undefined) return
    const ids = rows.map((row) => String(row[kind === 'locks' ? 'stack_id' : 'id']))
    const problem = problemOf(state, kind, ids)
    if (problem !== undefined) tell(`out of the order of locks: ${problem}\n${callers()}`)
    state[kind].push(...ids)
  }
}

const fresh = (): Seen => ({ runs: [], locks: [], repository: [], own: '', isOut: false })

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
const problemOf = (state: Seen, kind: Kind, ids: string[]): string | undefined => {
  const known = state[kind]
  const more = ids.filter((id) => !known.includes(id) && !state.own.includes(id))
  if (more.length === 0) return undefined
  const stored = state.standings ?? (kind === 'repository' ? undefined : state.jobs)
  if (stored !== undefined) return `${kind} ${more} after this was stored: ${stored}`
  if (kind === 'runs' && state.locks.length > 0) return `runs ${more} after locks ${state.locks}`
  const last = known.toSorted().at(-1)
  return more.some((id) => last !== undefined && id < last) ? `${kind} ${more} after ${last}` : undefined
}
