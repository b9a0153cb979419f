import type { MachineKind } from '../../api/machines.ts'
import charts from './charts.json' with { type: 'json' }

type Box = { name: string; x: number; y: number; width: number; height: number }

/** A way from one state to another, with the events that take a machine there, as paths of a line and of an arrow's head. */
export type Edge = { from: string; to: string; events: string[]; line: string; head: string }

/** A kind of machine as it is drawn (src/dev/charts): its states, what is around them, and what leads from one to another. */
export type Chart = {
  width: number
  height: number
  states: (Box & { final: boolean })[]
  groups: Box[]
  edges: Edge[]
  /** Events that a state takes without leaving it. */
  stays: Record<string, string[]>
}

const all: Record<MachineKind, Chart> = charts

export const chartOf = (kind: MachineKind): Chart => all[kind]

/** A state's name without those of its outer states. */
export const shortName = (name: string): string => name.slice(name.lastIndexOf('.') + 1)
