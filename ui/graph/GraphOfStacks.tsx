import { getRouteApi } from '@tanstack/react-router'
import type { CompactGraph } from '../api/graph.ts'
import type { StackDetail } from '../api/repositories.ts'
import { useKeys } from '../keys/registry.ts'
import { Removable } from '../list/Removable.tsx'
import { Empty } from '../parts/feedback/Empty.tsx'
import { StackTools } from '../repository/stacks/StackTools.tsx'
import { Graph } from './Graph.tsx'
import { GraphPanel } from './GraphPanel.tsx'
import { GraphTable } from './GraphTable.tsx'
import { GraphTools } from './GraphTools.tsx'
import { stepFrom } from './hit.ts'
import { Legend } from './Legend.tsx'
import type { Layers } from './layers.ts'
import { useScene } from './useScene.ts'
import '../parts/box.css'
import '../parts/chip.css'
import '../list/list.css'

const route = getRouteApi('/repos/$owner/$repo/graph')

type Search = ReturnType<typeof route.useSearch>

type GraphOfStacksProps = {
  graph: CompactGraph
  layers: Layers
  repository: string
  stacks: readonly StackDetail[] | undefined
  /** There are more stacks than were read. */
  isPart: boolean
}

/** The graph with what is chosen of it, as a picture or as a table. */
export const GraphOfStacks = ({ graph, layers, repository, stacks = [], isPart }: GraphOfStacksProps) => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const set = (next: Search): void =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false })
  const { scene, neighbours, chosen, counts, shown } = useScene({ graph, layers, stacks, search })
  const { selected } = scene
  const select = (stack: number | undefined): void =>
    set({ stack: stack === undefined ? undefined : graph.keys[stack] })
  const step = (by: Parameters<typeof stepFrom>[2]) => (): void =>
    select(selected === undefined ? layers.lanes[0]?.rows.find((one) => one >= 0) : stepFrom(layers, selected, by))
  useKeys([
    { keys: 'j', does: 'Next stack', act: step('down') },
    { keys: 'k', does: 'Stack before', act: step('up') },
    { keys: 'l', does: 'Wave after', act: step('right') },
    { keys: 'h', does: 'Wave before', act: step('left') },
    { keys: 'Escape', does: 'Choose no stack', act: () => select(undefined) },
  ])
  const clear = (): void => set({ q: undefined, status: undefined, drifted: undefined, unrun: undefined })
  const isTable = search.as === 'table'
  return (
    <>
      <StackTools all={stacks} chosen={chosen} q={search.q} set={set} clear={clear} />
      {isPart && (
        <p className="quiet small">
          The statuses of the first {stacks.length} stacks by key are read; others are drawn as not run.
        </p>
      )}
      <div className="graph-head">
        {counts ? (
          <GraphTools
            counts={counts}
            reach={search.reach ?? 'next'}
            setReach={(reach) => set({ reach: reach === 'next' ? undefined : reach })}
          />
        ) : (
          <p className="quiet small">
            {shown === graph.stacks - graph.external.length
              ? 'Choose a stack to see what it needs.'
              : `${shown} found.`}
          </p>
        )}
        <button
          type="button"
          className="button button-small"
          aria-pressed={isTable}
          onClick={() => set({ as: isTable ? undefined : 'table' })}
        >
          As a table
        </button>
      </div>
      {shown === 0 && (
        <Empty why="No stack is as these filters say.">
          <Removable
            asked={{ q: search.q, status: search.status?.join(', '), drifted: search.drifted, unrun: search.unrun }}
            remove={(name) => (name === undefined ? clear() : set({ [name]: undefined }))}
          />
        </Empty>
      )}
      <div className="graph-beside">
        <div>
          {isTable ? (
            <GraphTable {...{ scene, neighbours, select }} sort={search.sort} onSort={(sort) => set({ sort })} />
          ) : (
            <div className="box">
              <Graph scene={scene} select={select} />
            </div>
          )}
          {!isTable && <Legend isChosen={selected !== undefined} />}
        </div>
        {selected !== undefined && <GraphPanel {...{ repository, scene, neighbours, select }} stack={selected} />}
      </div>
    </>
  )
}
