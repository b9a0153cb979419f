import { asProblem } from '../api/errors.ts'
import { Problem } from '../parts/feedback/Problem.tsx'

/**
 * In the place of a part of a page that broke or could not be loaded. `what` says which: 'The search could not be shown'. A browser keeps
 * that a file did not come for as long as the document is open, so the way on is to load that again.
 */
export const BrokenPart = ({ error, what }: { error: unknown; what: string }) => (
  <>
    <Problem problem={asProblem(error)} what={what} />
    <p>
      <button type="button" className="button" onClick={() => location.reload()}>
        Load the page again
      </button>
    </p>
  </>
)
