import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useNarrow } from '../../parts/useNarrow.ts'
import { many } from '../../parts/words.ts'
import type { Filter } from '../filter/filter.ts'
import type { Phase } from '../state/phase.ts'
import type { Tally } from '../state/tally.ts'
import { usePlanned } from '../state/usePlanned.ts'
import { useRun } from '../state/useRun.ts'
import { useSelect } from '../useSelect.ts'
import { CellNote } from './CellNote.tsx'
import { Edges } from './Edges.tsx'
import { drawnOf } from './in-view.ts'
import { layOut } from './layout.ts'
import { directionOf, moved } from './moves.ts'
import type { SplitWave } from './split.ts'
import { useBoardKeys } from './useBoardKeys.ts'
import { useFocus } from './useFocus.ts'
import { useHeldLayout } from './useHeldLayout.ts'
import { useRoom } from './useRoom.ts'
import { Wave } from './Wave.tsx'

type BoardProps = {
  /** Of the stacks that the filter lets through. */
  waves: readonly SplitWave[]
  filter: Filter
  tally: Tally
  phase: Phase
  selected: string | undefined
}

/** What the panel takes beside the board, with the gap (board.css). */
const panelWidth = 400

const keyUnder = (target: EventTarget): string | undefined =>
  target instanceof Element ? target.closest<HTMLElement>('[data-stack]')?.dataset.stack : undefined

/**
 * Every stack of the run, wave by wave. To the keyboard it is a grid with one stop: arrows move, Enter opens. What is not in view is
 * not drawn.
 */
export const Board = ({ waves, filter, tally, phase, selected }: BoardProps) => {
  const frame = useRef<HTMLDivElement>(null)
  const { width, view } = useRoom(frame)
  const isNarrow = useNarrow()
  const next = useMemo(() => {
    const steadyWidth = selected === undefined ? width - panelWidth : width
    return layOut(waves, { width, steadyWidth, isNarrow })
  }, [waves, width, isNarrow, selected])
  const [hovered, setHovered] = useState<string>()
  const { focused, current, focus, focusProps } = useFocus(frame, selected, next)
  const { layout, waiting, follow } = useHeldLayout(next, [focused, hovered], filter)
  const select = useSelect()
  const { summaries: planned } = usePlanned()
  const planRunId = useRun().run?.plan_run_id
  const move = (direction: Parameters<typeof moved>[2]): void => {
    if (current !== undefined) focus(focused === undefined ? current : moved(layout, current, direction))
  }
  const press = (event: KeyboardEvent): void => {
    const direction = directionOf(event.key)
    const isPlain = !(event.ctrlKey || event.metaKey || event.altKey)
    const key = keyUnder(event.target)
    if (!isPlain || key === undefined) return
    if (event.key === 'Enter') select(key)
    else if (direction) focus(moved(layout, key, direction))
    else return
    event.preventDefault()
  }
  useBoardKeys({ move, selected, current, focus })
  useEffect(() => show(frame.current, selected), [selected])
  const drawn = drawnOf(layout, view, [current, selected])
  const noted = layout.places.get(hovered ?? focused ?? '')
  return (
    <div className="board-frame" ref={frame}>
      {waiting !== undefined && <ShowNew count={waiting} show={follow} />}
      {/* biome-ignore lint/a11y/useSemanticElements: a table has no cells where nothing is drawn, nor columns as high as they like */}
      <div
        role="grid"
        className="board"
        aria-label={`${many(layout.places.size, 'stack')} in ${many(layout.waves.length, 'wave')}`}
        aria-rowcount={layout.waves.length}
        style={{ width: layout.width, height: layout.height }}
        onClick={(event) => {
          const key = keyUnder(event.target)
          if (key !== undefined) select(key === selected && !isNarrow ? undefined : key)
        }}
        onKeyDown={press}
        onPointerOver={(event: PointerEvent) => event.pointerType === 'mouse' && setHovered(keyUnder(event.target))}
        onPointerLeave={() => setHovered(undefined)}
        {...focusProps}
      >
        {!isNarrow && selected !== undefined && <Edges layout={layout} selected={selected} />}
        {drawn.map(({ box, places }) => (
          <Wave
            key={box.wave}
            box={box}
            places={places}
            tally={tally.waves.find(({ wave }) => wave === box.wave)}
            {...{ phase, selected, current, planned, planRunId, cardWidth: layout.cardWidth }}
          />
        ))}
        {noted?.isCell && <CellNote place={noted} mode={phase.mode} width={layout.width} />}
      </div>
    </div>
  )
}

/** Shows what has come meanwhile, or its order if nothing has. */
const ShowNew = ({ count, show }: { count: number; show: () => void }) => (
  <div className="board-new">
    <button type="button" className="button button-small" onClick={show}>
      {count === 0 ? 'Show the new order' : `Show ${count} new`}
    </button>
  </div>
)

/** Brings a stack into view that was chosen elsewhere, or by the address. */
const show = (frame: HTMLElement | null, key: string | undefined): void => {
  if (key === undefined) return
  frame?.querySelector(`[data-stack="${CSS.escape(key)}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
