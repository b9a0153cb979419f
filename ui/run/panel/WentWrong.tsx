import type { RunRow } from '../../api/run-types.ts'
import { Skeleton } from '../../parts/feedback/Skeleton.tsx'
import { PanelPart } from '../../parts/overlay/Panel.tsx'
import { wentWrong } from './panel-words.ts'
import { StackButton } from './StackButton.tsx'

/** What went wrong: the message of the job, or who stands in the way. */
export const WentWrong = ({ row, isWhole }: { row: RunRow; isWhole: boolean }) => {
  const sentence = wentWrong(row)
  if (sentence === undefined) return null
  return (
    <PanelPart heading="What went wrong">
      <p>{sentence}</p>
      {row.blocked_by?.map((key) => (
        <p key={key}>
          blocked by <StackButton of={key} />
        </p>
      ))}
      {row.error_text === undefined && row.status === 'failed' && !isWhole && <Skeleton lines={2} />}
      {row.error_text !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must be able to
        <pre className="stack-error" tabIndex={0}>
          {row.error_text.trim()}
        </pre>
      )}
      {row.error_text === undefined && row.status === 'failed' && isWhole && (
        <p className="quiet">It reported no message of its own: the log of its job has more.</p>
      )}
    </PanelPart>
  )
}
