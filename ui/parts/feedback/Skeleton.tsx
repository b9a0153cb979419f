import './skeleton.css'

/**
 * The place of what is being loaded, below its real heading. For 150 ms it shows nothing: most answers are there by then, and a
 * flash of grey says less than nothing.
 */
export const Skeleton = ({ lines = 3 }: { lines?: number }) => (
  <div className="skeleton" aria-busy="true">
    <span className="unseen">Loading</span>
    {Array.from({ length: lines }, (_, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
      <span key={at} className="skeleton-line" />
    ))}
  </div>
)
