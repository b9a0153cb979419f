import { Link } from '@tanstack/react-router'
import { Problem } from '../../parts/feedback/Problem.tsx'
import { Panel, PanelPart } from '../../parts/overlay/Panel.tsx'
import { Key } from '../../parts/text/Key.tsx'
import { Status } from '../../status/Status.tsx'
import { stackLook } from '../../status/table.ts'
import type { Phase } from '../state/phase.ts'
import { useRun } from '../state/useRun.ts'
import { useWholeRow } from '../state/useWholeRow.ts'
import { useSelect } from '../useSelect.ts'
import { Checks } from './Checks.tsx'
import { Job } from './Job.tsx'
import { LockPart } from './LockPart.tsx'
import { PlanPart } from './PlanPart.tsx'
import { ToDo } from './ToDo.tsx'
import { WentWrong } from './WentWrong.tsx'
import { WhyPart } from './WhyPart.tsx'
import './stack-panel.css'

/** What is known of the selected stack, what went wrong first, and what can be done about it last. */
export const StackPanel = ({ stackKey, phase }: { stackKey: string; phase: Phase }) => {
  const { row, isWhole, problem } = useWholeRow(stackKey)
  const { run } = useRun()
  const select = useSelect()
  const close = (): void => {
    select(undefined)
    // where it was opened from
    document.querySelector<HTMLElement>(`[data-stack="${CSS.escape(stackKey)}"]`)?.focus({ preventScroll: true })
  }
  if (!run || !row) {
    return (
      <Panel title={<Key of={stackKey} />} onClose={close}>
        <PanelPart heading="Not in this run">
          <p>The run has no stack of this key.</p>
        </PanelPart>
      </Panel>
    )
  }
  return (
    <Panel title={<Key of={stackKey} copy />} onClose={close}>
      <p className="stack-facts">
        <Status look={stackLook(row.status, phase.mode)} />
        {row.environment !== undefined && <span>{row.environment}</span>}
        <span>wave {row.wave + 1}</span>
        <span>
          <Link to="/runs/$id/stacks/$key" params={{ id: run.id, key: stackKey }}>
            open page
          </Link>
        </span>
      </p>
      {problem && <Problem problem={problem} what="Reading the details did not work" />}
      <WentWrong row={row} isWhole={isWhole} />
      <WhyPart row={row} />
      <PlanPart row={row} run={run} />
      <LockPart row={row} run={run} isWhole={isWhole} />
      <Checks row={row} />
      <Job row={row} run={run} />
      <ToDo row={row} run={run} />
    </Panel>
  )
}
