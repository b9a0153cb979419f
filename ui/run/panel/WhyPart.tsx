import type { RunRow } from '../../api/run-types.ts'
import { PanelPart } from '../../parts/overlay/Panel.tsx'
import { Key } from '../../parts/text/Key.tsx'
import { useNeeds } from '../state/useNeeds.ts'
import { useRun } from '../state/useRun.ts'
import { StackButton } from './StackButton.tsx'
import { type Why, whyOf } from './why.ts'

/** Why the stack is in the run: what came first, and what that made of it. */
export const WhyPart = ({ row }: { row: RunRow }) => {
  const needs = useNeeds()
  const { run } = useRun()
  const asker = run?.trigger === 'schedule' ? 'the schedule' : undefined
  const lines = whyOf(row, needs?.get(row.key), asker)
  if (lines.length === 0) return null
  return (
    <PanelPart heading="Why it is in this run">
      <ul className="stack-why">
        {lines.map((line) => (
          <li key={JSON.stringify(line.from)}>
            <span className="stack-from mono">
              <From of={line.from} />
            </span>
            <span aria-hidden="true">→</span> <strong>{line.made}</strong>
            {line.note !== undefined && <span className="quiet small">({line.note})</span>}
          </li>
        ))}
      </ul>
    </PanelPart>
  )
}

const From = ({ of }: { of: Why['from'] }) => {
  if ('words' in of) return of.words
  return 'module' in of ? <Key of={of.module} /> : <StackButton of={of.stack} />
}
