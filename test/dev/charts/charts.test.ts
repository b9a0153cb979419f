import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { type Box, boxesOf } from '#dev/charts/boxes.ts'
import { chartsText } from '#dev/charts/charts.ts'
import { edgesOf } from '#dev/charts/edges.ts'
import { describe } from '#machines/describe.ts'

const kinds = ['run', 'stack', 'lock', 'dispatch'] as const

t.test('the charts of the inspector are those of the machines', async (t) => {
  const committed = readFileSync(join(import.meta.dirname, '../../../ui/machine/chart/charts.json'), 'utf8')
  t.equal(committed, chartsText(), 'run `node src/dev/charts/charts.ts` and commit the file')
})

const touches = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

for (const kind of kinds) {
  t.test(`the chart of ${kind}: every state and every way is there, and nothing lies on anything else`, async (t) => {
    const description = describe(kind)
    const boxes = boxesOf(description)
    const leaves = description.states.filter(({ initial }) => initial === undefined)
    t.same(boxes.states.map(({ name }) => name).sort(), leaves.map(({ name }) => name).sort())
    for (const [at, a] of boxes.states.entries()) {
      for (const b of boxes.states.slice(at + 1)) t.notOk(touches(a, b), `${a.name} and ${b.name}`)
      for (const group of boxes.groups) t.equal(touches(a, group), a.name.startsWith(`${group.name}.`), a.name)
    }
    const edges = edgesOf(description, boxes)
    for (const { name, on } of description.states) {
      for (const { event, target } of on.filter((one) => one.target !== undefined && one.target !== name)) {
        const drawn = edges.some(
          ({ from, to, events }) => from === name && to.startsWith(target ?? '') && events.includes(event),
        )
        t.ok(drawn, `${name} to ${target} by ${event}`)
      }
    }
  })
}

t.test('a state without a place, and a place without a state, are errors', async (t) => {
  const { states, ...run } = describe('run')
  const made = { ...states[0], name: 'paused' }
  t.throws(() => boxesOf({ ...run, states: [...states, { ...made, final: false, entry: [], exit: [], on: [] }] }), {
    message: /the state paused of run has no place/,
  })
  t.throws(() => boxesOf({ ...run, states: states.filter(({ name }) => name !== 'failed') }), {
    message: /places of no state of run: failed/,
  })
})
