import type { Dispatch } from '../../api/dispatches.ts'
import type { MachineKind } from '../../api/machines.ts'
import type { RunRow } from '../../api/run-types.ts'
import type { Rows } from '../../live/changes.ts'
import type { RunHead } from '../../live/run-store.ts'
import { isBroken } from '../../status/phases.ts'
import { looks, runLook, type StatusLook, stackLook } from '../../status/table.ts'

/** A machine of a run: `kind` and `of` are what the address says. */
export type MachineChip = { kind: MachineKind; of: string; name: string; look: StatusLook }

const stackChip = (run: RunHead, row: RunRow): MachineChip => ({
  ...({ kind: 'stack', of: `${run.id}:${row.stack_id}` } as const),
  ...{ name: row.key, look: stackLook(row.status, run.mode) },
})

/** Of a lock that nobody holds there may be no machine. */
const lockChip = ({ stack_id, key, lock }: RunRow): MachineChip[] =>
  lock?.state === undefined
    ? []
    : [{ kind: 'lock', of: stack_id, name: `Lock of ${key}`, look: looks.lock[lock.state] }]

/** The run and its dispatches. */
export const mainChips = (run: RunHead, dispatches: readonly Dispatch[]): MachineChip[] => [
  { kind: 'run', of: run.id, name: 'The run', look: runLook(run.status, run.mode) },
  ...dispatches.map(
    ({ id, wave, part, state }): MachineChip => ({
      ...{ kind: 'dispatch', of: id, name: `Dispatch ${wave + 1}.${part}`, look: looks.dispatch[state] },
    }),
  ),
]

/** Its stacks and their locks, in the run's order. */
export const stackChips = (run: RunHead, rows: Rows): MachineChip[] =>
  [...rows.values()].flatMap((row) => [stackChip(run, row), ...lockChip(row)])

/** Stacks whose machines somebody may want to look at first. */
const shown = 3

/** Those of broken stacks, and the one that is chosen: the others are found by their names. */
export const nearChips = (run: RunHead, rows: Rows, chosen: string): MachineChip[] => {
  const broken = [...rows.values()].filter(({ status }) => isBroken(status)).slice(0, shown)
  const near = broken.flatMap((row) => [stackChip(run, row), ...lockChip(row)])
  const other = stackChips(run, rows).find(({ of }) => of === chosen)
  return other && !near.some(({ of }) => of === chosen) ? [...near, other] : near
}
