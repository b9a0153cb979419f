import { many } from '../../parts/words.ts'
import { StatusIconOf } from '../../status/Status.tsx'
import type { Phase } from '../state/phase.ts'
import type { WaveTally } from '../state/tally.ts'
import type { Summaries } from '../state/usePlanned.ts'
import { Card } from './Card.tsx'
import { Cell } from './Cell.tsx'
import type { Place, WaveBox } from './layout.ts'
import { waveHead } from './wave-words.ts'

type WaveProps = {
  box: WaveBox
  /** Those that are drawn. */
  places: readonly Place[]
  tally: WaveTally | undefined
  phase: Phase
  selected: string | undefined
  current: string | undefined
  cardWidth: number
  planned: Summaries | undefined
  planRunId: string | undefined
}

/** A wave: its head, its cards, and the strip of those that are settled where there are many. */
export const Wave = ({ box, places, tally, phase, selected, current, ...ofCards }: WaveProps) => (
  // biome-ignore lint/a11y/useSemanticElements: as the board
  <div role="row" tabIndex={-1} aria-rowindex={box.wave + 1} className="wave">
    {tally && <Head box={box} tally={tally} phase={phase} />}
    {places.map((place) => {
      const shared = { place, mode: phase.mode, isSelected: place.key === selected, isCurrent: place.key === current }
      return place.isCell ? (
        <Cell key={place.key} {...shared} />
      ) : (
        <Card
          key={place.key}
          {...shared}
          phase={phase}
          width={ofCards.cardWidth}
          planned={ofCards.planned?.get(place.key)}
          planRunId={ofCards.planRunId}
        />
      )
    })}
  </div>
)

const Head = ({ box, tally, phase }: { box: WaveBox; tally: WaveTally; phase: Phase }) => {
  const { look, isNow, says } = waveHead(tally, phase)
  return (
    // biome-ignore lint/a11y/useSemanticElements: as the board
    // biome-ignore lint/a11y/useFocusableInteractive: heads are read with the cells, and take no focus
    <div role="rowheader" className="wave-head" style={{ left: box.x, top: box.y, width: box.width }}>
      <h2>
        <StatusIconOf look={look} />
        Wave {tally.wave + 1} <span className="quiet">{many(tally.rows.length, 'stack')}</span>
        {isNow && <span className="wave-now">now</span>}
      </h2>
      <p className="quiet small">{says}</p>
    </div>
  )
}
