import type { ApiProblem } from '../../api/errors.ts'
import { isPassing } from '../../api/errors.ts'
import './problem.css'
import errorsPage from '../../../docs/errors.md?url'

type ProblemProps = {
  problem: ApiProblem
  /** What could not be had: 'The run could not be read'. */
  what: string
  tryAgain?: () => void
}

/** Why something cannot be shown: the API's own message, its code, and the id by which the log of the service has it. */
export const Problem = ({ problem, what, tryAgain }: ProblemProps) => (
  <div className="problem" role="alert">
    <p>
      <strong>{what}:</strong> {problem.message}
    </p>
    <p className="small quiet">
      {/* a document of the same build, as text: there is no heading in it to go to */}
      <a href={errorsPage}>{problem.code}</a>
      {problem.requestId !== undefined && (
        <>
          , request <code>{problem.requestId}</code>
        </>
      )}
    </p>
    {tryAgain !== undefined && isPassing(problem) && (
      <button type="button" className="button" onClick={tryAgain}>
        Try again
      </button>
    )}
  </div>
)
