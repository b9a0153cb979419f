import { asProblem } from '../api/errors.ts'
import { Problem } from '../parts/feedback/Problem.tsx'
import { useProblemTitle } from './useTitle.ts'

/** In the place of a page that broke, or of which a part could not be loaded. */
export const Broken = ({ error }: { error: unknown }) => {
  useProblemTitle('A problem')
  return (
    <div className="words">
      <h1>This page broke</h1>
      <Problem problem={asProblem(error)} what="It could not be drawn" />
      <p>
        <button type="button" className="button" onClick={() => location.reload()}>
          Load it again
        </button>
      </p>
    </div>
  )
}
