import { useEffect, useState } from 'react'
import type { CompactGraph } from '../api/graph.ts'
import { type Layers, layOut } from './layers.ts'

/** As long as a frame: more at once would be felt. */
const portionMs = 12

const breath = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

export type Laid = { graph: CompactGraph; layers: Layers }

/** A graph in its places, made in portions; until a newer one is whole the one before, and undefined before the first. */
export const useLayers = (graph: CompactGraph | undefined): Laid | undefined => {
  const [laid, setLaid] = useState<Laid>()
  useEffect(() => {
    if (!graph) return
    let isOver = false
    const work = async (): Promise<void> => {
      const steps = layOut(graph)
      let since = performance.now()
      for (;;) {
        const { done, value } = steps.next()
        if (isOver) return
        if (done) return setLaid({ graph, layers: value })
        if (performance.now() - since < portionMs) continue
        await breath()
        since = performance.now()
      }
    }
    void work()
    return () => {
      isOver = true
    }
  }, [graph])
  return laid
}
