import { useDeferredValue, useMemo } from 'react'
import type { StackStatus } from '#api/runs/run-stack.ts'
import type { CompactGraph } from '../api/graph.ts'
import type { StackDetail } from '../api/repositories.ts'
import { hasWords } from '../list/has-words.ts'
import { type Standing, standingOf } from '../repository/stacks/standing.ts'
import { neighboursOf, type Reach, reachOf } from './ends.ts'
import type { Layers } from './layers.ts'
import type { Scene } from './scene.ts'

type Asked = {
  graph: CompactGraph
  layers: Layers
  stacks: readonly StackDetail[]
  search: {
    stack?: string | undefined
    reach?: Exclude<Reach, 'next'> | undefined
    q?: string | undefined
    status?: StackStatus[] | undefined
    drifted?: 'true' | undefined
    unrun?: 'true' | undefined
  }
}

/** What the address asks to be shown of a graph. */
export const useScene = ({ graph, layers, stacks, search }: Asked) => {
  const { stack, reach = 'next', status, drifted, unrun } = search
  const q = useDeferredValue(search.q)
  const neighbours = useMemo(() => neighboursOf(graph), [graph])
  const standings = useMemo(() => {
    const known = new Map(stacks.map((one) => [one.key, standingOf(one)]))
    return graph.keys.slice(0, graph.stacks).map((key): Standing => known.get(key) ?? 'new')
  }, [graph, stacks])
  const chosen = useMemo<Standing[]>(
    () => [...(status ?? []), ...(drifted ? (['drifted'] as const) : []), ...(unrun ? (['new'] as const) : [])],
    [status, drifted, unrun],
  )
  const isShown = useMemo(
    () =>
      Uint8Array.from(standings, (standing, at) => {
        const isAsked = chosen.length === 0 || chosen.includes(standing)
        return Number(isAsked && layers.laneOf[at] !== -1 && hasWords(graph.keys[at] ?? '', q))
      }),
    [graph, layers, standings, chosen, q],
  )
  const shown = useMemo(() => isShown.reduce((sum, one) => sum + one, 0), [isShown])
  const selected = useMemo(() => {
    const at = stack === undefined ? -1 : graph.keys.indexOf(stack)
    return at < 0 || layers.laneOf[at] === -1 ? undefined : at
  }, [graph, layers, stack])
  const reached = useMemo(
    () => (selected === undefined ? undefined : reachOf(neighbours, selected, reach)),
    [neighbours, selected, reach],
  )
  const counts = useMemo(() => {
    if (selected === undefined) return undefined
    const count = (far: 'needs' | 'needed'): number =>
      [...reachOf(neighbours, selected, far).nodes].filter((node) => node < graph.stacks).length
    return { needs: count('needs'), needed: count('needed') }
  }, [graph, neighbours, selected])
  const scene = useMemo<Scene>(
    () => ({ graph, layers, standings, isShown, selected, reached }),
    [graph, layers, standings, isShown, selected, reached],
  )
  return { scene, neighbours, chosen, counts, shown }
}
