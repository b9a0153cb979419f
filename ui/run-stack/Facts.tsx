import { Link } from '@tanstack/react-router'
import type { RunRow } from '../api/run-types.ts'
import type { RunHead } from '../live/run-store.ts'
import { PanelPart } from '../parts/overlay/Panel.tsx'
import { many } from '../parts/words.ts'
import { Checks } from '../run/panel/Checks.tsx'
import { Job } from '../run/panel/Job.tsx'
import { LockPart } from '../run/panel/LockPart.tsx'
import { StackButton } from '../run/panel/StackButton.tsx'
import { ToDo } from '../run/panel/ToDo.tsx'
import { WhyPart } from '../run/panel/WhyPart.tsx'
import { dependentsOf } from '../run/state/ordering.ts'
import { useNeeds } from '../run/state/useNeeds.ts'
import { useRun } from '../run/state/useRun.ts'

type FactsProps = { row: RunRow; run: RunHead; isWhole: boolean }

/** What is known of a stack of a run besides its text: the parts of the panel, and who needs it. */
export const Facts = ({ row, run, isWhole }: FactsProps) => (
  <div className="panel">
    <Does row={row} />
    <WhyPart row={row} />
    <Dependents of={row.key} />
    <Checks row={row} />
    <LockPart row={row} run={run} isWhole={isWhole} />
    <Job row={row} run={run} />
    <ToDo row={row} run={run} />
  </div>
)

/** What its plan does in words: signs and numbers leave out what is imported, moved or given out. */
const Does = ({ row: { key, summary, status, plan_run_id: planRun } }: { row: RunRow }) => {
  if (!summary && planRun === undefined) return null
  return (
    <PanelPart heading={status === 'applied' ? 'What its apply did' : 'What its plan does'}>
      {summary && <p>{doesWords(summary)}</p>}
      {planRun !== undefined && (
        <p>
          <Link to="/runs/$id/stacks/$key" params={{ id: planRun, key }}>
            The plan that it goes by
          </Link>
        </p>
      )}
    </PanelPart>
  )
}

const doesWords = (summary: NonNullable<RunRow['summary']>): string => {
  const { adds, changes, destroys, replaces, imports = 0, moves = 0, output_changes: outputs = 0 } = summary
  const parts = [
    ...(destroys > 0 ? [`${destroys} destroyed`] : []),
    ...(replaces > 0 ? [`${replaces} replaced`] : []),
    ...(changes > 0 ? [`${changes} changed in place`] : []),
    ...(adds > 0 ? [`${adds} created`] : []),
    ...(imports > 0 ? [`${imports} imported`] : []),
    ...(moves > 0 ? [`${moves} moved`] : []),
  ]
  const resources = parts.length === 0 ? 'No resource changes' : `Of its resources: ${parts.join(', ')}`
  return outputs === 0 ? `${resources}.` : `${resources}; ${many(outputs, 'output')} changed.`
}

const Dependents = ({ of }: { of: string }) => {
  const needs = useNeeds()
  const { rows } = useRun()
  const keys = needs ? dependentsOf(needs, of, rows.keys()) : []
  if (keys.length === 0) return null
  return (
    <PanelPart heading="What needs it in this run">
      <ul>
        {keys.map((key) => (
          <li key={key}>
            <StackButton of={key} />
          </li>
        ))}
      </ul>
    </PanelPart>
  )
}
