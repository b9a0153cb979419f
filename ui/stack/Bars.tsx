import type { Bar } from './bars.ts'
import './bars.css'

/** A bar is as wide as this at most, with its gap: few of them stand at the left, and do not fill the page. */
const step = 14
const height = 48

/** A small picture of bars, the oldest at the left. What it says is in words beside it. */
export const Bars = ({ of, says }: { of: readonly Bar[]; says: string }) => {
  const width = of.length * step
  return (
    <svg
      className="bars"
      role="img"
      aria-label={says}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      style={{ maxWidth: width, height }}
    >
      {of.map(({ id, height: part, tone }, at) => (
        <rect
          key={id}
          data-tone={tone}
          x={at * step + 1}
          y={height - part * height}
          width={step - 3}
          height={part * height}
          rx={2}
        />
      ))}
    </svg>
  )
}
