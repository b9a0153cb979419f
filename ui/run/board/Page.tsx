import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { RunHead } from '../../live/run-store.ts'
import { Empty } from '../../parts/feedback/Empty.tsx'
import { Prose } from '../../parts/text/Prose.tsx'
import { filterOf, isFiltered } from '../filter/filter.ts'
import { Tools } from '../filter/Tools.tsx'
import { useFilter } from '../filter/useFilter.ts'
import { StackPanel } from '../panel/StackPanel.tsx'
import { type Phase, phaseOf } from '../state/phase.ts'
import { tallyOf } from '../state/tally.ts'
import { useRun } from '../state/useRun.ts'
import { Board } from './Board.tsx'
import { splitWave } from './split.ts'
import './board.css'

const route = getRouteApi('/runs/$id')

/** The stacks of the run in their waves, and beside them the one that is selected. */
export const BoardTab = () => {
  const { run, rows } = useRun()
  const { stack } = route.useSearch()
  const { filter, clear } = useFilter()
  const tally = useMemo(() => tallyOf(rows), [rows])
  const waves = useMemo(() => {
    const isShown = filterOf(filter)
    return tally.waves
      .map((wave) => splitWave(wave.wave, wave.rows.filter(isShown), isFiltered(filter)))
      .filter(({ cards, cells }) => cards.length + cells.length > 0)
  }, [tally, filter])
  const phase = usePhase(run, tally)
  if (!run || !phase) return null
  if (rows.size === 0) return <NoStacks run={run} />
  return (
    <>
      <Tools tally={tally} mode={run.mode} />
      <div className="board-page">
        {waves.length > 0 ? (
          <Board waves={waves} filter={filter} tally={tally} phase={phase} selected={stack} />
        ) : (
          <Empty why="No stack of this run matches.">
            <button type="button" className="button" onClick={clear}>
              Show all {rows.size}
            </button>
          </Empty>
        )}
        {stack !== undefined && <StackPanel key={stack} stackKey={stack} phase={phase} />}
      </div>
    </>
  )
}

/** The same object as long as nothing of it changed: cards are drawn again when it does. */
const usePhase = (run: RunHead | undefined, tally: ReturnType<typeof tallyOf>): Phase | undefined => {
  const text = run && JSON.stringify(phaseOf(run, tally))
  return useMemo(() => (text === undefined ? undefined : (JSON.parse(text) as Phase)), [text])
}

const NoStacks = ({ run }: { run: RunHead }) => (
  <Empty
    why={
      run.status === 'pending' || run.status === 'planning'
        ? 'Which stacks it is about is not known yet.'
        : 'It is about no stack.'
    }
  >
    {run.next !== undefined && (
      <p>
        <Prose of={run.next} />
      </p>
    )}
  </Empty>
)
