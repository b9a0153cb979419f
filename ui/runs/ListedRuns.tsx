import type { Run } from '../api/runs.ts'
import { type RunFilter, readRuns } from '../api/runs.ts'
import { ListBody } from '../list/ListBody.tsx'
import { type LiveList, useLiveList } from '../live/useLiveList.ts'
import { askedOf } from './filter.ts'
import { NoRuns } from './NoRuns.tsx'
import { RunFilters } from './RunFilters.tsx'
import { RunTable } from './RunTable.tsx'

/** The runs that a filter asks for, newest first. */
export const useRuns = (filter: RunFilter): LiveList<Run> =>
  useLiveList({
    key: ['runs', JSON.stringify(filter)],
    read: (part, signal) => readRuns(filter, part, signal),
    idOf: ({ id }) => id,
  })

type ListedRunsProps = {
  list: LiveList<Run>
  filter: RunFilter
  /** What the address asks for from now on, made of what it asks for. */
  ask: (change: (before: RunFilter) => RunFilter) => void
  /** Those that may be chosen from. */
  repositories?: readonly string[]
  /** The repository is the page's own: its runs do not name it, and nobody chooses another. */
  ofOne?: boolean
}

/** Runs with what narrows them down. */
export const ListedRuns = ({ list, filter, ask, repositories, ofOne = false }: ListedRunsProps) => (
  <>
    <RunFilters
      filter={filter}
      set={(next) => ask((before) => ({ ...before, ...next }))}
      {...(repositories && { repositories })}
    />
    <ListBody
      list={list}
      what="the runs"
      asked={askedOf(ofOne ? { ...filter, repo: undefined } : filter)}
      remove={(name) => ask((before) => (name === undefined ? {} : { ...before, [name]: undefined }))}
      empty={<NoRuns />}
    >
      {(rows) => <RunTable rows={rows} ofOne={ofOne} />}
    </ListBody>
  </>
)
