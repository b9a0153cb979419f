import { Copy } from '../parts/text/Copy.tsx'
import { listed, many } from '../parts/words.ts'
import { asText, type Ladder } from './ladder.ts'
import '../parts/attention.css'
import '../status/status.css'

/** How many are behind, and which the furthest: that is what somebody has to do something about. */
export const Behind = ({
  ladder: { rungs, without, behind },
  latest,
}: {
  ladder: Ladder
  latest: string | undefined
}) => {
  const current = rungs.reduce((sum, { stacks }) => sum + stacks.length, 0) - behind.length
  const furthest = behind.filter((one) => one.behind === behind[0]?.behind)
  const rest = [
    `${current} ${current === 1 ? 'is' : 'are'} at the newest`,
    ...(without.length > 0 ? [`of ${without.length} it cannot be said`] : []),
  ].join('; ')
  if (behind.length === 0) {
    return (
      <p className="module-current">
        Nothing is behind{latest !== undefined && ` ${latest}`}: {rest}.
      </p>
    )
  }
  return (
    <section className="attention module-behind" data-tone="unknown" aria-label="What is behind">
      <p>
        <strong>{many(behind.length, 'stack is', 'stacks are')} behind,</strong> the furthest by{' '}
        {many(behind[0]?.behind ?? 0, 'version')}: {listed(furthest.map(({ stack_key: key }) => key))}.{' '}
        <span className="quiet">In all, {rest}.</span>
      </p>
      <Copy text={asText(behind)} what="the list of what is behind" label={`Copy the ${behind.length} as a list`} />
    </section>
  )
}
