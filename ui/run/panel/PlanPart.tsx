import { Link } from '@tanstack/react-router'
import type { RunRow } from '../../api/run-types.ts'
import type { RunHead } from '../../live/run-store.ts'
import { Counts } from '../../parts/Counts.tsx'
import { PanelPart } from '../../parts/overlay/Panel.tsx'
import { many } from '../../parts/words.ts'
import { countsOfSummary } from '../counts-of-summary.ts'
import { summaryOf, usePlanned } from '../state/usePlanned.ts'
import { touchedOf } from './changes-of.ts'
import { bytesWords } from './panel-words.ts'

const shown = 8

const headingOf = (row: RunRow, run: RunHead): string => {
  if (run.mode === 'drift') return 'What differs'
  return row.status === 'applied' ? 'What its apply did' : 'What its plan does'
}

/** What the stack's plan does: numbers, and the first addresses, destroys first. */
export const PlanPart = ({ row, run }: { row: RunRow; run: RunHead }) => {
  const { plan_bytes: bytes } = row
  const summary = summaryOf(row, usePlanned().summaries?.get(row.key), run.plan_run_id)
  if (!summary) return null
  const touched = touchedOf(summary)
  const more = touched.length - shown
  return (
    <PanelPart
      heading={
        <>
          {headingOf(row, run)} · <Counts of={countsOfSummary(summary)} />
        </>
      }
    >
      <ul>
        {touched.slice(0, shown).map(({ does, sign, address }) => (
          <li key={`${sign}${address}`} className="stack-touched mono">
            <span data-does={does}>
              <span aria-hidden="true">{sign}</span>
              <span className="unseen">{does}</span>
            </span>
            <span>{address}</span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="quiet small">and {many(more, 'more resource')}</p>}
      <p>
        <Link to="/runs/$id/stacks/$key" params={{ id: row.plan_run_id ?? run.id, key: row.key }}>
          Read the plan
        </Link>
        {bytes !== undefined && <span className="quiet"> ({bytesWords(bytes)})</span>}
      </p>
    </PanelPart>
  )
}
