import type { ApiProblem } from '../api/errors.ts'
import { Empty } from '../parts/feedback/Empty.tsx'
import { Problem } from '../parts/feedback/Problem.tsx'
import { type Asked, isFiltered } from './filters.ts'
import { Removable, type Remove } from './Removable.tsx'

type ListProblemProps = { problem: ApiProblem; what: string; asked: Asked; remove: Remove; tryAgain: () => void }

/** In the place of rows that cannot be read. Where a filter is the reason, that is for who chose it to change. */
export const ListProblem = ({ problem, what, asked, remove, tryAgain }: ListProblemProps) => {
  // the page for signing in is being opened
  if (problem.code === 'unauthorized') return null
  const isOfFilters = (problem.code === 'not_found' || problem.code === 'invalid') && isFiltered(asked)
  if (!isOfFilters) return <Problem problem={problem} what={`Reading ${what} did not work`} tryAgain={tryAgain} />
  const why =
    problem.code === 'not_found'
      ? 'What it is filtered by does not exist, or you may not read it at the code host.'
      : `The service does not take these filters: ${problem.message}.`
  return (
    <div className="box-rest" role="alert">
      <Empty why={why}>
        <Removable asked={asked} remove={remove} />
      </Empty>
    </div>
  )
}
