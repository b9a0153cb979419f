import { writeFile } from 'node:fs/promises'
import { describe } from '#machines/describe.ts'
import { type Kind, kinds } from '#machines/kinds.ts'
import { type Box, boxesOf } from './boxes.ts'
import { type Edge, edgesOf } from './edges.ts'

export type Chart = {
  width: number
  height: number
  initial: string
  states: (Box & { final: boolean })[]
  groups: Box[]
  edges: Edge[]
  /** Events that a state takes without leaving it. */
  stays: Record<string, string[]>
}

const chartOf = (kind: Kind): Chart => {
  const description = describe(kind)
  const boxes = boxesOf(description)
  const isFinal = new Set(description.states.filter(({ final }) => final).map(({ name }) => name))
  const stays = description.states.map(({ name, on }) => [
    name,
    [...new Set(on.filter(({ target }) => target === undefined || target === name).map(({ event }) => event))],
  ])
  return {
    ...{ width: boxes.width, height: boxes.height, initial: description.initial, groups: boxes.groups },
    states: boxes.states.map((box) => ({ ...box, final: isFinal.has(box.name) })),
    edges: edgesOf(description, boxes),
    stays: Object.fromEntries(stays.filter(([, events]) => events?.length)),
  }
}

/**
 * ui/machine/chart/charts.json: the charts of the inspector, drawn from the machines themselves when they are changed and not in the
 * browser. A test compares the committed file with this text.
 */
export const chartsText = (): string => {
  const charts = Object.keys(kinds).map((kind) => `  "${kind}": ${JSON.stringify(chartOf(kind as Kind))}`)
  return `{\n${charts.join(',\n')}\n}\n`
}

const file = new URL('../../../ui/machine/chart/charts.json', import.meta.url)
if (import.meta.main) await writeFile(file, chartsText())
