import { useNow } from '../../live/now.ts'
import type { Liveness } from '../../live/useLive.ts'
import { useLost } from '../../live/useLost.ts'
import { distanceWords, momentWords } from '../time-words.ts'
import './live.css'

/** Whether what the page shows is as it stands, all of its parts, and when what it is about last changed. */
export const Live = ({ liveness }: { liveness: Liveness }) => {
  const now = useNow()
  const lost = useLost()
  const { changedAt, answeredAt } = liveness
  if (answeredAt === 0) return null
  if (!lost) {
    return (
      <p className="live">
        <span className="live-dot" aria-hidden="true" />
        Live <span aria-hidden="true">· changed {distanceWords(Math.min(changedAt, Date.now()), Date.now())}</span>
      </p>
    )
  }
  const since = momentWords(lost.since + (now - Date.now()), now)
  return (
    <p className="live live-lost" role="status">
      <span className="live-dot" aria-hidden="true" />
      Not live since {since}
      <button type="button" className="button button-small" onClick={lost.tryNow}>
        Try now
      </button>
    </p>
  )
}
