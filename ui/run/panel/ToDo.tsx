import { useId } from 'react'
import type { RunRow } from '../../api/run-types.ts'
import type { RunHead } from '../../live/run-store.ts'
import { PanelPart } from '../../parts/overlay/Panel.tsx'
import { Copy } from '../../parts/text/Copy.tsx'
import { planAgain } from '../acts/plan-again.ts'
import { useActs } from '../acts/useActs.ts'
import { whatToDo } from './panel-words.ts'

/** What can be done about the stack; a button that can do nothing says why beside it. */
export const ToDo = ({ row, run }: { row: RunRow; run: RunHead }) => {
  const acts = useActs()
  const sentence = whatToDo(row, run)
  const { why } = planAgain(run)
  return (
    <PanelPart heading="What can be done">
      {sentence !== undefined && <p>{sentence}</p>}
      <div className="stack-deeds">
        {run.pr_number !== undefined && <Copy text="svc plan" what="the comment svc plan" label="Copy svc plan" />}
        <Deed act={() => acts.release(row.key)} why={row.lock ? undefined : 'No lock is held on it.'}>
          Release lock…
        </Deed>
        <Deed act={acts.planAgain} why={why}>
          Plan again…
        </Deed>
      </div>
    </PanelPart>
  )
}

const Deed = ({ act, why, children }: { act: () => void; why: string | undefined; children: string }) => {
  const id = useId()
  return (
    <span className="stack-deed">
      {/* not disabled: the focus comes back to it from the dialog, when what it does is done */}
      <button
        type="button"
        className="button button-small"
        aria-disabled={why !== undefined}
        aria-describedby={why === undefined ? undefined : id}
        onClick={() => why === undefined && act()}
      >
        {children}
      </button>
      {why !== undefined && (
        <span id={id} className="quiet small">
          {why}
        </span>
      )}
    </span>
  )
}
