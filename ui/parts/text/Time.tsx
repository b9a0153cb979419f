import { useNow } from '../../live/now.ts'
import { Tip } from '../overlay/Tip.tsx'
import { distanceWords, durationWords, exactWords, momentWords } from '../time-words.ts'

type TimeProps = {
  /** RFC 3339, as the API says it. */
  at: string
  /** `4 min ago`, or the time of day. */
  as?: 'distance' | 'moment'
  focusable?: boolean
}

/** A moment, told by the service's clock; all of it on hover and focus. */
export const Time = ({ at, as = 'distance', focusable = true }: TimeProps) => {
  const now = useNow()
  const ms = Date.parse(at)
  return (
    <Tip tip={exactWords(ms)} focusable={focusable}>
      <time dateTime={at}>{as === 'distance' ? distanceWords(ms, now) : momentWords(ms, now)}</time>
    </Tip>
  )
}

/** How long something took, or has taken so far while it has no end. */
export const Duration = ({ from, to }: { from: string; to?: string | undefined }) => (
  <span className="duration">
    {to === undefined ? <Running from={from} /> : durationWords(Date.parse(to) - Date.parse(from))}
  </span>
)

/** Apart, because it is drawn again each second. */
const Running = ({ from }: { from: string }) => durationWords(useNow() - Date.parse(from))
