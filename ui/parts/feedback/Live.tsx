import { useNow } from '../../live/now.ts'
import type { Liveness } from '../../live/useLive.ts'
import { distanceWords, momentWords } from '../time-words.ts'
import './live.css'

/** Whether what is shown is as it stands, and when it last changed. */
export const Live = ({ liveness }: { liveness: Liveness }) => {
  const now = useNow()
  const { isLive, changedAt, answeredAt, tryNow } = liveness
  if (answeredAt === 0) return null
  if (isLive) {
    return (
      <p className="live">
        <span className="live-dot" aria-hidden="true" />
        Live <span aria-hidden="true">· changed {distanceWords(Math.min(changedAt, Date.now()), Date.now())}</span>
      </p>
    )
  }
  const since = momentWords(answeredAt + (now - Date.now()), now)
  return (
    <p className="live live-lost" role="status">
      <span className="live-dot" aria-hidden="true" />
      Not live since {since}
      <button type="button" className="button button-small" onClick={tryNow}>
        Try now
      </button>
    </p>
  )
}
