import { Link } from '@tanstack/react-router'
import type { RunHead } from '../../live/run-store.ts'
import { Icon } from '../../parts/Icon.tsx'
import { Copy } from '../../parts/text/Copy.tsx'
import { planAgain } from '../acts/plan-again.ts'
import { useActs } from '../acts/useActs.ts'
import type { Tally } from '../state/tally.ts'
import { runMarkdown } from './run-markdown.ts'

/** Where the run leads to: its pull request, the runs before and after it, and the next plan. */
export const HeadLinks = ({ run, tally }: { run: RunHead; tally: Tally }) => {
  const acts = useActs()
  const again = planAgain(run)
  return (
    <div className="run-links">
      {run.pr_url !== undefined && (
        <a className="button button-small" href={run.pr_url}>
          Pull request <Icon name="outside" />
        </a>
      )}
      {run.plan_run_id !== undefined && <RunLink id={run.plan_run_id}>Plan it came from</RunLink>}
      {run.rerun_of !== undefined && <RunLink id={run.rerun_of}>Run it repeats</RunLink>}
      {run.superseded_by?.run_id !== undefined && <RunLink id={run.superseded_by.run_id}>Newer run</RunLink>}
      {again.planRunId !== undefined && (
        <button type="button" className="button button-small" onClick={acts.planAgain}>
          Plan again…
        </button>
      )}
      <Copy text={runMarkdown(run, tally)} what="the run as Markdown" label="Copy as Markdown" />
    </div>
  )
}

const RunLink = ({ id, children }: { id: string; children: string }) => (
  <Link to="/runs/$id" params={{ id }} className="button button-small">
    {children}
  </Link>
)
