import type { ReactNode } from 'react'
import { announce } from '../live/Announcements.tsx'
import type { LiveList } from '../live/useLiveList.ts'
import { Empty } from '../parts/feedback/Empty.tsx'
import { Skeleton } from '../parts/feedback/Skeleton.tsx'
import { many } from '../parts/words.ts'
import { useKeptFocus } from '../table/useKeptFocus.ts'
import { type Asked, isFiltered } from './filters.ts'
import { ListProblem } from './ListProblem.tsx'
import { Removable, type Remove } from './Removable.tsx'
import { WentBy } from './WentBy.tsx'
import '../parts/box.css'
import './list.css'

type ListBodyProps<T> = {
  list: LiveList<T>
  /** 'the runs'. */
  what: string
  /** The filters as they were asked for. */
  asked: Asked
  remove: Remove
  /** Said where there is nothing without a filter either. */
  empty: ReactNode
  children: (rows: readonly T[]) => ReactNode
}

/** Rows of a list in a frame, with what came on top, what there is more of, and why there is nothing. */
export const ListBody = <T,>({ list, what, asked, remove, empty, children }: ListBodyProps<T>) => {
  const { page, problem, liveness, rows } = list
  const keptFocus = useKeptFocus<HTMLElement>()
  if (problem) return <ListProblem {...{ problem, what, asked, remove }} tryAgain={liveness.tryNow} />
  if (page === undefined) return <Skeleton lines={8} />
  const isOver = rows.length === 0 && !list.hasMore
  return (
    <>
      <WentBy asked={asked} answered={page.filters} />
      <section className="box list" aria-label={`List of ${what}`} {...keptFocus}>
        <Fresh list={list} />
        {isOver && (
          <div className="box-rest">
            {isFiltered(asked) ? (
              <Empty why={`None of ${what} is as these filters say.`}>
                <Removable asked={asked} remove={remove} />
              </Empty>
            ) : (
              empty
            )}
          </div>
        )}
        {rows.length > 0 && children(rows)}
        <More list={list} />
      </section>
    </>
  )
}

const Fresh = <T,>({ list: { fresh, showFresh } }: { list: LiveList<T> }) =>
  fresh === 0 ? null : (
    <button
      type="button"
      className="list-fresh"
      onClick={({ currentTarget }) => {
        // the button goes: the list that it was on top of has the focus then
        currentTarget.closest('section')?.focus({ preventScroll: true })
        showFresh()
        announce(`${many(fresh, 'new row is', 'new rows are')} shown.`)
      }}
    >
      Show {fresh} new
    </button>
  )

const More = <T,>({ list: { hasMore, isReadingMore, showMore, rows } }: { list: LiveList<T> }) =>
  !hasMore ? null : (
    <div className="list-more">
      <button
        type="button"
        className="button"
        aria-disabled={isReadingMore}
        onClick={() => isReadingMore || showMore()}
      >
        {isReadingMore ? 'Reading more…' : 'Show more'}
      </button>
      <span className="quiet small">{rows.length} are shown.</span>
    </div>
  )
