import type { Mark } from './bars.ts'
import { markIcons } from './Lane.tsx'

const signs: readonly (readonly [Mark['is'], string])[] = [
  ['sent', 'dispatch sent'],
  ['bound', 'picked up'],
  ['completed', 'its workflow run ended'],
]

/** What the lines and signs of the chart mean. */
export const Legend = () => (
  <ul className="legend quiet small">
    <li>
      <svg viewBox="0 0 20 16" width="20" height="16" aria-hidden="true">
        <line className="lane-queued" x1="0" x2="20" y1="8" y2="8" />
      </svg>
      queued: its wave has begun, no workflow run has picked it up
    </li>
    <li>
      <svg viewBox="0 0 20 16" width="20" height="16" aria-hidden="true" data-tone="running">
        <rect className="legend-bar" y="4" width="20" height="8" rx="2" />
      </svg>
      from then until its job reports
    </li>
    {signs.map(([is, words]) => (
      <li key={is}>
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" className="lane-mark" data-is={is}>
          <path d={markIcons[is]} />
        </svg>
        {words}
      </li>
    ))}
  </ul>
)
