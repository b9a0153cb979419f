import t from 'tap'
import {
  createBreath,
  jsonBytes,
  jsonInPortions,
  portionBytes,
  portionRows,
  portionsByStack,
  portionsOf,
  portionsOfBytes,
} from '#portions.ts'

const listed = (count: number) => Array.from({ length: count }, (_, index) => index)

t.test('rows come in portions, in order, and all of them', (t) => {
  for (const count of [0, 1, 999, 1000, 1001, 3500]) {
    const portions = [...portionsOf(listed(count))]
    t.same(portions.flat(), listed(count), String(count))
    t.ok(portions.every(({ length }) => length > 0 && length <= 1000))
  }
  t.end()
})

t.test('rows of known sizes come in portions of so many bytes, and what is larger comes alone', async (t) => {
  const half = portionBytes / 2
  const cases: [sizes: number[], portions: number[][]][] = [
    [[], []],
    [[1, 2], [[1, 2]]],
    [
      [half, half, half],
      [[half, half], [half]],
    ],
    [
      [1, 3 * half, 1],
      [[1], [3 * half], [1]],
    ],
  ]
  for (const [sizes, portions] of cases) {
    const found = [...portionsOfBytes(sizes.map((bytes) => ({ bytes })))]
    t.same(
      found.map((portion) => portion.map(({ bytes }) => bytes)),
      portions,
    )
  }
  const many = [...portionsOfBytes(listed(portionRows + 1).map(() => ({ bytes: 1 })))]
  t.same(
    many.map(({ length }) => length),
    [portionRows, 1],
  )
})

t.test('rows of stacks come in portions, each after the last id of the one before', async (t) => {
  for (const count of [0, 1, 999, 1000, 1001, 3500]) {
    const all = listed(count).map((index) => ({
      stack_id: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    }))
    const found: (typeof all)[number][] = []
    const read = async (after: string) => all.filter(({ stack_id }) => stack_id > after).slice(0, portionRows)
    for await (const rows of portionsByStack(read)) found.push(...rows)
    t.same(found, all, String(count))
  }
})

t.test('JSON in portions is what JSON.stringify writes', async (t) => {
  const many = listed(2500).map((index) => ({ key: `"${index}"`, via: undefined, list: [index, [undefined]] }))
  const values = [
    {},
    { a: undefined, b: null, c: false, d: '', 'e"': 'ü\n', f: new Date(0), g: [], h: {}, i: [undefined, 1] },
    many,
    [],
    { matrix: { include: many }, waves: [listed(2000).map(String), []], affected: many, cached: true },
  ]
  for (const value of values) {
    t.equal(Buffer.from(await jsonInPortions(value)).toString(), JSON.stringify(value))
    t.equal(Buffer.from(jsonBytes(value)).toString(), JSON.stringify(value))
  }
})

t.test('long work lets others have their turn, short work asks for none', async (t) => {
  const breath = createBreath()
  t.equal(breath(), undefined)
  let turns = 0
  const turning = setInterval(() => {
    turns += 1
  }, 1)
  const until = performance.now() + 200
  while (performance.now() < until) await breath()
  clearInterval(turning)
  t.ok(turns >= 5, `${turns} turns`)
})
