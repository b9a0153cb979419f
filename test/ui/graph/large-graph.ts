import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { planning } from '#test/scenes/scene.ts'

const waves = 6

/** In as many layers: each stack needs stacks of the layer before its own. */
const edgesOf = (keys: readonly string[], count: number): object[] => {
  const layer = Math.ceil(keys.length / waves)
  return Array.from({ length: count }, (_, at) => {
    const from = layer + (at % (keys.length - layer))
    const first = (Math.floor(from / layer) - 1) * layer
    const to = first + ((from * 7 + Math.floor(at / (keys.length - layer)) * 131) % layer)
    return { from: { kind: 'stack', key: keys[from] }, to: { kind: 'stack', key: keys[to] }, type: 'depends_on' }
  })
}

export const keysOf = (count: number): string[] => Array.from({ length: count }, (_, at) => `t${at % 97}/s${at}`)

/** Records a graph of so many stacks and edges: the newest is what the repository shows before its first merge. */
export const recordGraph = async (
  place: Parameters<typeof planning>[0],
  count: number,
  edges: number,
): Promise<void> => {
  const keys = keysOf(count)
  const [first = ''] = keys
  const { job, id } = await planning(place, [first])
  const graph = {
    stacks: keys.map((key) => ({ key, path: key })),
    edges: edgesOf(keys, edges),
    tree_hash: randomUUID(),
  }
  const answer = await job.upload(id, { graph, stacks: [first] })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body).slice(0, 1000))
}

export type Frames = { median: number; high: number; longest: number }

/** Milliseconds between the frames of a browser while the graph is moved, zoomed in, moved and zoomed out again. */
export const framesOf = (page: Page): Promise<Frames> =>
  page.evaluate(async () => {
    const canvas = document.querySelector('.graph-canvas')
    const { left = 0, top = 0, width = 0, height = 0 } = canvas?.getBoundingClientRect() ?? {}
    const middle = { clientX: left + width / 2, clientY: top + height / 2, cancelable: true }
    const moves = [
      ...Array.from({ length: 20 }, (_, at) => ({ shiftKey: true, deltaY: at < 10 ? 12 : -12 })),
      ...Array.from({ length: 40 }, () => ({ deltaY: -60 })),
      ...Array.from({ length: 40 }, (_, at) => ({ shiftKey: true, deltaY: at < 20 ? 40 : -40 })),
      ...Array.from({ length: 40 }, () => ({ deltaY: 60 })),
    ]
    const next = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve))
    const times: number[] = []
    let last = await next()
    for (const move of moves) {
      canvas?.dispatchEvent(new WheelEvent('wheel', { ...middle, ...move }))
      const now = await next()
      times.push(now - last)
      last = now
    }
    const sorted = times.toSorted((a, b) => a - b)
    const part = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
    return { median: part(0.5), high: part(0.95), longest: part(1) }
  })
