import type { RunRow } from '../api/run-types.ts'
import type { RunHead } from '../live/run-store.ts'
import type { Liveness } from '../live/useLive.ts'
import { Problem } from '../parts/feedback/Problem.tsx'
import { Skeleton } from '../parts/feedback/Skeleton.tsx'
import { wentWrong } from '../run/panel/panel-words.ts'
import { WentWrong } from '../run/panel/WentWrong.tsx'
import { useWholeRow } from '../run/state/useWholeRow.ts'
import { Facts } from './Facts.tsx'
import { Reader } from './Reader.tsx'
import { StackHead } from './StackHead.tsx'
import { useText } from './useText.ts'
import '../parts/box.css'
import '../parts/overlay/panel.css'
import '../run/panel/stack-panel.css'
import './run-stack.css'

type StackOfRunProps = { run: RunHead; stackKey: string; liveness: Liveness }

/** What went wrong first, then the text, and beside it what else is known. */
export const StackOfRun = ({ run, stackKey, liveness }: StackOfRunProps) => {
  const { row, isWhole, problem, tryNow } = useWholeRow(stackKey)
  if (!row) return <Skeleton />
  return (
    <>
      <StackHead row={row} run={run} liveness={liveness} />
      {problem && <Problem problem={problem} what="Reading the details did not work" tryAgain={tryNow} />}
      <WithText row={row} run={run} isWhole={isWhole} />
    </>
  )
}

type WithTextProps = { row: RunRow; run: RunHead; isWhole: boolean }

const WithText = ({ row, run, isWhole }: WithTextProps) => {
  const { text, readAgain } = useText(run.id, row, isWhole)
  return (
    <Reader
      text={text}
      readAgain={readAgain}
      jobUrl={row.job_url}
      above={
        wentWrong(row) !== undefined && (
          <section className="panel reader-wrong" aria-label="How it ended">
            <h2 className="unseen">How it ended</h2>
            <WentWrong row={row} isWhole={isWhole} />
          </section>
        )
      }
    >
      <Facts row={row} run={run} isWhole={isWhole} />
    </Reader>
  )
}
