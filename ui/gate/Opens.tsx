import { useNow } from '../live/now.ts'
import { Time } from '../parts/text/Time.tsx'
import { durationWords } from '../parts/time-words.ts'

/** How long it is until applies may begin again, by the service's clock. */
export const Opens = ({ at }: { at: string }) => {
  const ms = Date.parse(at) - useNow()
  return (
    <p className="gate-opens">
      Applies may begin again {ms > 0 ? <strong>in {durationWords(ms)}</strong> : 'now'}:{' '}
      <Time at={at} as="moment" focusable={false} />
    </p>
  )
}
