import type { CompactGraph } from '../api/graph.ts'
import type { Standing } from '../repository/stacks/standing.ts'
import type { Reached } from './ends.ts'
import type { Painter } from './icon-painter.ts'
import type { Layers } from './layers.ts'

/** The colours of a theme, as a canvas needs them. */
export type Paints = {
  paper: string
  text: string
  quiet: string
  line: string
  control: string
  accent: string
  selected: string
  font: string
  tones: Readonly<Record<Standing, string>>
  icons: Readonly<Partial<Record<Standing, Painter>>>
}

/** What the graph shows, whatever part of it is in view. */
export type Scene = {
  graph: CompactGraph
  layers: Layers
  /** By stack. */
  standings: readonly Standing[]
  /** 1 for each stack that the filters leave. */
  isShown: Uint8Array
  selected: number | undefined
  reached: Reached | undefined
}

/** What is neither chosen, nor next to what is, steps back. */
export const isQuiet = ({ isShown, selected, reached }: Scene, stack: number): boolean =>
  isShown[stack] === 0 || (selected !== undefined && stack !== selected && reached?.nodes.has(stack) !== true)
