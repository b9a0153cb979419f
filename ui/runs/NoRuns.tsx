import { Empty } from '../parts/feedback/Empty.tsx'

/** Where no run has begun: what makes the first one. */
export const NoRuns = () => (
  <Empty why="No run has begun yet.">
    <p>
      A repository takes part with the workflows svc-plan.yml and svc-run.yml: <code>svc init</code> writes them, and{' '}
      <code>svc doctor</code> says what is missing. The next pull request is planned.
    </p>
  </Empty>
)
