import t from 'tap'
import { edgeWords, grouped } from '../../../ui/graph/edge-words.ts'
import { neighboursOf, type Reach, reachOf } from '../../../ui/graph/ends.ts'
import { hit, seen, stepFrom } from '../../../ui/graph/hit.ts'
import { directoryOf, layOut, placeOf, sizes } from '../../../ui/graph/layers.ts'
import { begin, centre, fit, isSeen, levelOf, pan, zoomAt } from '../../../ui/graph/view.ts'
import { drained, graphOf } from './made-graph.ts'

const graph = graphOf(
  [['net', 'data/db', 'data/bus'], ['apps/web', 'apps/api'], ['edge/cdn']],
  ['apps/web net', 'apps/web data/db', 'apps/api net', 'edge/cdn apps/web', 'apps/api other//x'],
  ['other//x'],
)
const layers = drained(layOut(graph))
const names = (stacks: Iterable<number>): (string | undefined)[] => [...stacks].map((one) => graph.keys[one])
const at = (key: string): number => graph.keys.indexOf(key)

t.test('a wave is a column, with its stacks by directory below headings', (t) => {
  t.same(
    layers.lanes.map(({ wave, rows, headings }) => [
      wave,
      [...rows].map((stack) => graph.keys[stack] ?? ''),
      headings.map(({ row, text }) => `${row} ${text}`),
    ]),
    [
      [0, ['net', '', 'data/bus', 'data/db'], ['1 data/']],
      [1, ['', 'apps/api', 'apps/web'], ['0 apps/']],
      [2, ['', 'edge/cdn'], ['0 edge/']],
    ],
  )
  t.same(
    layers.waves.map(({ count }) => count),
    [3, 2, 1],
  )
  t.equal(placeOf(layers, at('other//x')), undefined, 'what is of another repository has no place')
  t.end()
})

t.test('a directory ends before an instance, and the root has none', (t) => {
  for (const [key, directory] of [
    ['a/b', 'a/'],
    ['a/b:eu/west', 'a/'],
    ['a/b/c', 'a/b/'],
    ['root', ''],
    ['.', ''],
  ] as const) {
    t.equal(directoryOf(key), directory, key)
  }
  t.end()
})

t.test('a large wave is several columns, so that all of it has the form of a window', (t) => {
  const keys = Array.from({ length: 2000 }, (_, one) => `s${one}`)
  const { lanes, waves, width, height } = drained(layOut(graphOf([keys])))
  t.ok(lanes.length > 10 && waves.length === 1, `${lanes.length} columns`)
  t.ok(width / height > 1 && width / height < 2.2, `${width} by ${height}`)
  t.equal(
    lanes.reduce((sum, { rows }) => sum + rows.filter((stack) => stack >= 0).length, 0),
    2000,
  )
  t.end()
})

t.test('every stack is hit in its place, and nothing beside it', (t) => {
  const views = [
    { x: 0, y: 0, scale: 1 },
    { x: -30, y: 12, scale: 0.3 },
  ]
  for (const view of views) {
    for (const stack of graph.waves.flat()) {
      const place = placeOf(layers, stack) ?? { x: 0, y: 0 }
      const point = { x: (place.x + 5 - view.x) * view.scale, y: (place.y + 5 - view.y) * view.scale }
      t.equal(hit(layers, view, point), stack, String(graph.keys[stack]))
    }
  }
  const [still = { x: 0, y: 0, scale: 1 }] = views
  for (const [what, point] of Object.entries({
    'the head': { x: 5, y: 3 },
    'a heading': { x: 5, y: sizes.head + sizes.row + 5 },
    'between columns': { x: sizes.lane + 5, y: sizes.head + 5 },
    'below all': { x: 5, y: 5000 },
    'before all': { x: -5, y: sizes.head + 5 },
  })) {
    t.equal(hit(layers, still, point), undefined, what)
  }
  t.end()
})

t.test('only columns and rows in view are drawn', (t) => {
  const columns = (x: number, width: number) => seen(layers, { x, y: 0, scale: 1 }, { width, height: 600 }).length
  t.same([columns(0, 100), columns(0, 5000), columns(9000, 100)], [1, 3, 0])
  const [rows] = seen(layers, { x: 0, y: sizes.head + sizes.row, scale: 1 }, { width: 10, height: sizes.row })
  t.match(rows, { from: 1, to: 2 })
  t.end()
})

t.test('a neighbourhood is what is next to a stack, all that it needs, or all that needs it', (t) => {
  const neighbours = neighboursOf(graph)
  const reached = (key: string, reach: Reach) => names(reachOf(neighbours, at(key), reach).nodes).sort()
  t.same(reached('apps/web', 'next'), ['data/db', 'edge/cdn', 'net'])
  t.same(reached('edge/cdn', 'next'), ['apps/web'])
  t.same(reached('edge/cdn', 'needs'), ['apps/web', 'data/db', 'net'])
  t.same(reached('net', 'needed'), ['apps/api', 'apps/web', 'edge/cdn'])
  t.same(reached('data/bus', 'needed'), [])
  const { lines } = reachOf(neighbours, at('net'), 'needed')
  t.same(lines.map(({ from, to, step }) => `${graph.keys[from]} ${graph.keys[to]} ${step}`).sort(), [
    'apps/web edge/cdn 1',
    'net apps/api 0',
    'net apps/web 0',
  ])
  t.end()
})

t.test('a walk in a circle ends', (t) => {
  const circle = graphOf([['a', 'b']], ['a b', 'b a'])
  t.same([...reachOf(neighboursOf(circle), 0, 'needs').nodes], [1])
  t.end()
})

t.test('the keys go from stack to stack, past headings, and from wave to wave', (t) => {
  const cases: [from: string, by: Parameters<typeof stepFrom>[2], to: string][] = [
    ['net', 'down', 'data/bus'],
    ['data/bus', 'up', 'net'],
    ['data/db', 'down', 'data/db'],
    ['net', 'right', 'apps/api'],
    ['edge/cdn', 'left', 'apps/api'],
    ['edge/cdn', 'right', 'edge/cdn'],
  ]
  for (const [from, by, to] of cases) t.equal(graph.keys[stepFrom(layers, at(from), by)], to, `${from} ${by}`)
  t.end()
})

const canvas = { width: 800, height: 600 }

t.test('all of a graph fits, and a small one is not blown up', (t) => {
  t.equal(fit({ width: 100, height: 100 }, canvas).scale, 1)
  const large = { width: 8000, height: 3000 }
  const view = fit(large, canvas)
  t.ok(isSeen(view, { x: 0, y: 0 }, large, canvas))
  t.equal(levelOf(view), 'far')
  t.same(begin(large, canvas), view, 'a large one begins whole')
  t.equal(
    levelOf(begin({ width: 1000, height: 500 }, { width: 340, height: 420 })),
    'near',
    'a small one with its names',
  )
  t.end()
})

t.test('zooming keeps the point below the pointer where it is, within bounds', (t) => {
  const view = { x: 10, y: 20, scale: 0.5 }
  const point = { x: 300, y: 200 }
  const below = ({ x, y, scale }: typeof view) => [x + point.x / scale, y + point.y / scale].map(Math.round)
  t.same(below(zoomAt(view, point, 1.7, 0.1)), below(view))
  t.equal(zoomAt(view, point, 100, 0.1).scale, 2)
  t.equal(zoomAt(view, point, 0.0001, 0.1).scale, 0.1)
  t.end()
})

t.test('however far it is moved, something is left to see; a stack that is looked for is in the middle', (t) => {
  const size = { width: 2000, height: 1000 }
  for (const by of [1e6, -1e6]) {
    const { x, y } = pan({ x: 0, y: 0, scale: 1 }, { x: by, y: by }, size, canvas)
    t.ok(x < size.width && x + canvas.width > 0 && y < size.height && y + canvas.height > 0, `${x} ${y}`)
  }
  const found = centre({ x: 0, y: 0, scale: 0.1 }, { x: 1500, y: 800 }, canvas)
  t.ok(isSeen(found, { x: 1500, y: 800 }, { width: 10, height: 10 }, canvas))
  t.equal(levelOf(found), 'near')
  t.end()
})

t.test('edges between the same two are one line with all their reasons', (t) => {
  t.same(
    grouped([
      [1, 1],
      [2, 0],
      [1, 2],
    ]),
    [
      [1, [1, 2]],
      [2, [0]],
    ],
  )
  t.equal(edgeWords(graph, [1, 2]), 'named in its configuration: depends_on; its code reads the state of it')
  t.end()
})
