import type { RunRow } from '../../api/run-types.ts'
import { listed, many } from '../../parts/words.ts'
import { gapsOf } from './changes.ts'

type GapsProps = { rows: readonly RunRow[]; ofPlans: readonly RunRow[]; isFinding: boolean }

/** What the lists do not say. */
export const Gaps = ({ rows, ofPlans, isFinding }: GapsProps) => {
  const { untold, cut } = gapsOf(rows)
  if (untold.length + cut.length + ofPlans.length === 0) return null
  return (
    <div className="changes-gaps quiet small">
      {untold.length > 0 && (
        <p>
          {many(untold.length, 'stack has', 'stacks have')} reported nothing yet: {listed(untold.map(({ key }) => key))}
          .
        </p>
      )}
      {ofPlans.length > 0 && (
        <p>
          Of {listed(ofPlans.map(({ key }) => key))} it is what the plan says: the apply has told nothing of{' '}
          {ofPlans.length === 1 ? 'it' : 'them'}.
        </p>
      )}
      {cut.length > 0 && (
        <p>
          Not every address is listed: the client tells 500 of each sort at most. The counts are whole; for{' '}
          {listed(cut.map(({ key }) => key))} the plan’s text has the rest
          {isFinding && ', and what is not listed is not found here'}.
        </p>
      )}
    </div>
  )
}
