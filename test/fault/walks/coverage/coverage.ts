import { z } from 'zod'
import { type Pool, sql } from '#db/sql.ts'
import { type Kind, parseEvent } from '#machines/index.ts'
import { replayTo } from '#runtime/replay.ts'
import { allKinds, allStates, allTransitions, transitionTaken } from './transitions.ts'
import { unreachable } from './unreachable.ts'

export type CoverageReport = {
  states: string
  transitions: string
  /** Neither entered nor taken, and without a reason. */
  missed: string[]
  /** Listed as out of reach, and reached. */
  reachable: string[]
}

export type Coverage = {
  /** Reads what the machines of these runs went through. */
  read(runIds: readonly string[]): Promise<void>
  /** A transition that leaves no row of the journal, since it refuses or changes nothing: heard by its caller. */
  hear(names: Iterable<string>): void
  report(): CoverageReport
}

const Row = z.object({
  kind: z.enum(allKinds),
  id: z.string(),
  seq: z.number(),
  event: z.looseObject({ type: z.string() }),
  state_from: z.string().nullable(),
  state_to: z.string(),
  actions: z.array(z.looseObject({ type: z.string() })),
})
type Row = z.infer<typeof Row>

/** Rows that look alike are mostly the same transition: so many of a kind are replayed to see which it was. */
const replays = 12

const looksOf = ({ kind, event, state_from, state_to, actions }: Row): string =>
  [kind, state_from, event.type, event.outcome, state_to, ...actions.map(({ type }) => type)].join(' ')

/** Which states and transitions of the machines the journal shows. */
export const createCoverage = (pool: Pool): Coverage => {
  const entered = new Set<string>()
  const taken = new Set<string>()
  const seen = new Map<string, number>()
  const note = async (row: Row): Promise<void> => {
    entered.add(`${row.kind} ${row.state_to}`)
    if (row.event.type === 'created') return
    const looks = looksOf(row)
    const before = seen.get(looks) ?? 0
    seen.set(looks, before + 1)
    if (before >= replays) return
    const name = await takenBy(pool, row.kind, row)
    if (name) taken.add(name)
  }
  return {
    read: async (runIds) => {
      const ids = sql.array([...runIds], 'uuid')
      const rows = await pool.any(sql.type(Row)`
        select kind, case kind when 'stack' then run_id || ':' || subject_id else subject_id::text end as id,
          seq, event, state_from, state_to, actions
        from journal where run_id = any(${ids})
        union all
        select 'lock', stack_id::text, seq, event, state_from, state_to, actions from lock_journal where run_id = any(${ids})`)
      for (const row of rows) await note(row)
    },
    hear: (names) => {
      for (const name of names) taken.add(name)
    },
    report: () => {
      const all = [...allStates, ...allTransitions]
      const reached = new Set([...entered, ...taken])
      const wanted = (names: readonly string[]): string[] => names.filter((name) => unreachable[name] === undefined)
      const share = (names: readonly string[]): string => {
        const own = wanted(names)
        const count = own.filter((name) => reached.has(name)).length
        return `${count} of ${own.length} (${Math.floor((count / own.length) * 100)} %), ${names.length - own.length} out of reach`
      }
      return {
        states: share(allStates),
        transitions: share(allTransitions),
        missed: wanted(all).filter((name) => !reached.has(name)),
        reachable: all.filter((name) => unreachable[name] !== undefined && reached.has(name)),
      }
    },
  }
}

const takenBy = async <K extends Kind>(pool: Pool, kind: K, row: Row): Promise<string | undefined> => {
  const before = await replayTo(pool, { kind, id: row.id, seq: row.seq - 1 })
  return before && transitionTaken(kind, before.snapshot, parseEvent(kind, row.event))
}
