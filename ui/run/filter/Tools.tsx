import type { StackStatus } from '#api/runs/run-stack.ts'
import type { RunHead } from '../../live/run-store.ts'
import { Chip, Chips } from '../../parts/Chip.tsx'
import { useTyped } from '../../parts/useTyped.ts'
import { stackLook, stackStatuses } from '../../status/table.ts'
import type { Tally } from '../state/tally.ts'
import { useFilter } from './useFilter.ts'

/** From so many stacks on there is a field to find one. */
const findFrom = 10

/** Which stacks are shown: by status, gravest first, and by words of their keys. */
export const Tools = ({ tally, mode }: { tally: Tally; mode: RunHead['mode'] }) => {
  const { filter, set, clear } = useFilter()
  const { status: chosen = [], q } = filter
  const [typed, type] = useTyped(q, (q) => set({ q }))
  const toggle = (status: StackStatus): void => {
    const next = chosen.includes(status) ? chosen.filter((one) => one !== status) : [...chosen, status]
    set({ status: next.length === 0 ? undefined : next })
  }
  return (
    <div className="board-tools">
      <Chips label="Filter by status">
        <Chip isOn={chosen.length === 0 && q === undefined} toggle={clear} count={tally.total}>
          all
        </Chip>
        {stackStatuses
          .filter((status) => tally.counts[status] || chosen.includes(status))
          .map((status) => {
            const look = stackLook(status, mode)
            const count = tally.counts[status] ?? 0
            return (
              <Chip key={status} look={look} count={count} isOn={chosen.includes(status)} toggle={() => toggle(status)}>
                {look.word}
              </Chip>
            )
          })}
      </Chips>
      {(tally.total >= findFrom || q !== undefined) && (
        <input
          className="board-find"
          type="search"
          aria-label="Find a stack by words of its key"
          placeholder="Find a stack"
          value={typed}
          onChange={(event) => type(event.target.value)}
        />
      )}
    </div>
  )
}
