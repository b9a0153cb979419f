import type { ApiProblem } from '../api/errors.ts'
import { Problem } from '../parts/feedback/Problem.tsx'
import { NoAccess } from './NoAccess.tsx'
import { NotThere } from './NotThere.tsx'
import { useProblemTitle } from './useTitle.ts'

type PageProblemProps = {
  problem: ApiProblem
  /** What the page is of: 'the run'. */
  what: string
  tryAgain: () => void
}

/** In the place of a page that cannot be shown. */
export const PageProblem = ({ problem, what, tryAgain }: PageProblemProps) => {
  if (problem.code === 'not_found' || problem.code === 'invalid') return <NotThere what={what} />
  if (problem.code === 'forbidden') return <NoAccess why={problem.message} />
  // the page for signing in is being opened
  if (problem.code === 'unauthorized') return null
  return <Unreadable problem={problem} what={what} tryAgain={tryAgain} />
}

const Unreadable = ({ problem, what, tryAgain }: PageProblemProps) => {
  useProblemTitle('A problem')
  return (
    <div className="words">
      <h1>There is nothing to show</h1>
      <Problem problem={problem} what={`Reading ${what} did not work`} tryAgain={tryAgain} />
    </div>
  )
}
