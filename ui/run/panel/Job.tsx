import { Link } from '@tanstack/react-router'
import { readDispatches } from '../../api/dispatches.ts'
import type { RunRow } from '../../api/run-types.ts'
import type { RunHead } from '../../live/run-store.ts'
import { useLive } from '../../live/useLive.ts'
import { PanelPart } from '../../parts/overlay/Panel.tsx'
import { Outside } from '../../parts/text/Outside.tsx'
import { Duration } from '../../parts/text/Time.tsx'

/** Which job ran the stack, for how long, and the machines behind it. */
export const Job = ({ row, run }: { row: RunRow; run: RunHead }) => (
  <PanelPart heading="Job">
    {row.job_url === undefined && row.started_at === undefined && <p className="quiet">No job has begun with it.</p>}
    {row.job_url === undefined && row.dispatch_id !== undefined && (
      <WorkflowRun run={run.id} dispatch={row.dispatch_id} />
    )}
    <p className="stack-job">
      {row.job_url === undefined && row.started_at !== undefined && <span className="quiet">It named no address.</span>}
      {row.job_url !== undefined && <Outside href={row.job_url}>{jobName(row.job_url)}</Outside>}
      {row.started_at !== undefined && (
        <span className="quiet">
          {row.exit_code !== undefined && `exit ${row.exit_code} after `}
          {row.exit_code === undefined && row.finished_at !== undefined && 'took '}
          <Duration from={row.started_at} to={row.finished_at} />
          {row.finished_at === undefined && ' so far'}
        </span>
      )}
    </p>
    <p className="stack-job small">
      <Link to="/stacks/$id" params={{ id: row.stack_id }}>
        The stack as it stands
      </Link>
      <Link to="/machines/$kind/$id" params={{ kind: 'stack', id: `${run.id}:${row.stack_id}` }}>
        Its machine
      </Link>
      {row.dispatch_id !== undefined && (
        <Link to="/machines/$kind/$id" params={{ kind: 'dispatch', id: row.dispatch_id }}>
          Its dispatch
        </Link>
      )}
    </p>
  </PanelPart>
)

/** Of a stack whose job never named itself, above all one that is unknown: the workflow run that was to run it has its log. */
const WorkflowRun = ({ run, dispatch }: { run: string; dispatch: string }) => {
  const { data } = useLive({
    key: ['dispatches', run],
    read: (signal) => readDispatches(run, signal),
    pace: 'list',
  })
  const workflowRun = data?.find(({ id }) => id === dispatch)?.workflow_run
  if (!workflowRun) return null
  return (
    <p>
      <Outside href={workflowRun.url}>{`Workflow run ${workflowRun.id}`}</Outside>
    </p>
  )
}

/** The code host's addresses of jobs end with their number. */
const jobName = (url: string): string => {
  const [, number] = /\/(\d+)\/?(?:[?#].*)?$/.exec(url) ?? []
  return number === undefined ? 'Job' : `Job ${number}`
}
