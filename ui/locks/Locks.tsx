import type { Lock } from '../api/locks.ts'
import type { Page } from '../api/page.ts'
import type { Asked } from '../list/filters.ts'
import { ListProblem } from '../list/ListProblem.tsx'
import { Removable, type Remove } from '../list/Removable.tsx'
import { WentBy } from '../list/WentBy.tsx'
import type { Live } from '../live/useLive.ts'
import { Empty } from '../parts/feedback/Empty.tsx'
import { Skeleton } from '../parts/feedback/Skeleton.tsx'
import { LockBoard } from './LockBoard.tsx'

type LocksProps = {
  live: Live<Page<Lock>>
  states: readonly Lock['state'][]
  /** What the service was asked for. */
  asked: Asked
  remove: Remove
  ofOne?: boolean
}

/** The lock board, or why there is none. */
export const Locks = ({ live: { data, problem, liveness }, states, asked, remove, ofOne = false }: LocksProps) => {
  if (problem) return <ListProblem {...{ problem, asked, remove }} what="the locks" tryAgain={liveness.tryNow} />
  if (data === undefined) return <Skeleton lines={8} />
  const locks = states.length === 0 ? data.items : data.items.filter(({ state }) => states.includes(state))
  const filters: Asked = {
    ...asked,
    state: states.length === 0 ? undefined : states.join(', ').replaceAll('held.', ''),
  }
  return (
    <>
      {/* states are chosen here, among all that were answered */}
      <WentBy asked={asked} answered={data.filters} />
      <LockBoard
        locks={locks}
        ofOne={ofOne}
        readAgain={liveness.tryNow}
        empty={
          Object.values(filters).some((value) => value !== undefined) ? (
            <Empty why="No lock that is held is as these filters say.">
              <Removable asked={filters} remove={remove} />
            </Empty>
          ) : (
            <Empty why="No lock is held: any pull request may apply any stack. An apply takes the locks of its stacks, and keeps them until it is merged." />
          )
        }
      />
    </>
  )
}
