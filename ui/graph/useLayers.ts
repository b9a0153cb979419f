import { useEffect, useState } from 'react'
import type { CompactGraph } from '../api/graph.ts'
import { type Layers, layOut } from './layers.ts'

/** As long as a frame: more at once would be felt. */
const portionMs = 12

const breath = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** The graph in its places, made in portions; undefined until it is whole. */
export const useLayers = (graph: CompactGraph | undefined): Layers | undefined => {
  const [laid, setLaid] = useState<{ of: CompactGraph; layers: Layers }>()
  useEffect(() => {
    if (!graph) return
    let isOver = false
    const work = async (): Promise<void> => {
      const steps = layOut(graph)
      let since = performance.now()
      for (;;) {
        const { done, value } = steps.next()
        if (isOver) return
        if (done) return setLaid({ of: graph, layers: value })
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
  return laid?.of === graph ? laid?.layers : undefined
}
