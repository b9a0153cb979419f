import t from 'tap'
import { paceOfMachine } from '#test/helpers/pace.ts'
import { isSameLayout, mayFollow, newIn } from '../../../../ui/run/board/hold.ts'
import { drawnOf } from '../../../../ui/run/board/in-view.ts'
import { type Layout, layOut, sizes } from '../../../../ui/run/board/layout.ts'
import { moved } from '../../../../ui/run/board/moves.ts'
import { type SplitWave, splitWave } from '../../../../ui/run/board/split.ts'
import { filterOf, isFiltered } from '../../../../ui/run/filter/filter.ts'
import { row } from '../rows.ts'

const keys = (count: number, name = 's'): string[] => Array.from({ length: count }, (_, at) => `${name}${at}`)
const wave = (number: number, cards: string[], cells: string[] = []): SplitWave => ({ wave: number, cards, cells })
const room = (width: number, isNarrow = false) => ({ width, steadyWidth: width - 400, isNarrow })
const at = (layout: Layout, key: string) => {
  const place = layout.places.get(key)
  return place && [place.x, place.y]
}
const step = sizes.card + sizes.gap

t.test('waves are columns from left to right, and stand below each other where it is narrow', async (t) => {
  const waves = [wave(0, ['a', 'b']), wave(1, ['c'])]
  const wide = layOut(waves, room(1000))
  t.same(at(wide, 'a'), [0, sizes.head])
  t.same(at(wide, 'b'), [0, sizes.head + step])
  t.same(at(wide, 'c'), [wide.cardWidth + sizes.wave, sizes.head])
  const narrow = layOut(waves, room(351, true))
  t.equal(narrow.cardWidth, 351)
  t.equal(at(narrow, 'c')?.[0], 0)
  t.ok((at(narrow, 'c')?.[1] ?? 0) > (at(narrow, 'b')?.[1] ?? 0) + sizes.card)
  t.equal(layOut([], room(1000)).height, 0)
})

t.test('a tall wave has as many lanes as there is room for, and a small one has one', async (t) => {
  const lanes = (count: number, width: number) =>
    new Set([...layOut([wave(0, keys(count))], room(width)).places.values()].map(({ x }) => x)).size
  t.equal(lanes(8, 1280), 1)
  t.equal(lanes(9, 1280), 2)
  t.equal(lanes(600, 1280), 3)
  t.equal(lanes(600, 700), 1)
  const { places } = layOut([wave(0, keys(20))], room(1280))
  t.same(places.get('s0')?.y, places.get('s7')?.y, 'a lane is filled before the next')
})

t.test('no card moves up or down when the panel opens beside the board', async (t) => {
  const waves = [wave(0, keys(40, 'a')), wave(1, keys(9, 'b')), wave(2, keys(3, 'c'))]
  const closed = layOut(waves, { width: 1632, steadyWidth: 1232, isNarrow: false })
  const open = layOut(waves, { width: 1232, steadyWidth: 1232, isNarrow: false })
  for (const [key, { y }] of closed.places) t.equal(open.places.get(key)?.y, y, key)
})

t.test('of a wave of more than 60 stacks the settled ones are small cells below the rest', async (t) => {
  const rows = [...keys(58).map((key) => row(key, { status: 'applied' })), row('x', { status: 'failed' }), row('y')]
  t.same(splitWave(0, rows, false).cells, [], '60 are cards')
  const many = [...rows, row('z', { status: 'noop' })]
  const split = splitWave(0, many, false)
  t.same(split.cards, ['x', 'y'])
  t.equal(split.cells.length, 59)
  t.equal(splitWave(0, many, true).cards.length, 61, 'what somebody asked for is cards')
  const layout = layOut([split], room(1000))
  const lowest = Math.max(...split.cards.map((key) => layout.places.get(key)?.y ?? 0))
  const cells = split.cells.map((key) => layout.places.get(key))
  t.ok(cells.every((cell) => cell?.isCell && cell.y >= lowest + sizes.card))
  t.equal(new Set(cells.map((cell) => `${cell?.x} ${cell?.y}`)).size, 59, 'none on another')
  t.ok(cells.every((cell) => cell && cell.x + sizes.cell <= layout.width))
})

t.test('2,000 stacks have their places in a moment, and what is drawn is what is in view', async (t) => {
  const waves = keys(10).map((name, number) => wave(number, keys(200, name)))
  const layout = layOut(waves, room(1232))
  // the best of five: another process on the machine may take the time of one
  const times = Array.from({ length: 5 }, () => {
    const begun = performance.now()
    layOut(waves, room(1232))
    return performance.now() - begun
  })
  t.ok(Math.min(...times) < 50 * paceOfMachine(), `${times.join(', ')} ms`)
  t.equal(layout.places.size, 2000)
  t.ok(layout.width > 1232, 'more waves than there is room for are seen by scrolling the board sideways')
  const view = { left: 0, right: 1232, top: 2000, bottom: 2800 }
  const drawn = drawnOf(layout, view, ['s9199']).flatMap(({ places }) => places.map(({ key }) => key))
  t.ok(drawn.length < 140, String(drawn.length))
  t.ok(drawn.includes('s9199'), 'and the one that has the focus, wherever it is')
  const small = layOut([wave(0, keys(100))], room(1232))
  t.equal(drawnOf(small, view, [])[0]?.places.length, 100, 'a small board is drawn whole')
})

t.test('what the pointer or the focus is on does not move by itself', async (t) => {
  const before = layOut([wave(0, ['b', 'c'])], room(1000))
  const above = layOut([wave(0, ['a', 'b', 'c'])], room(1000))
  const below = layOut([wave(0, ['b', 'c', 'd'])], room(1000))
  t.notOk(mayFollow(before, above, ['b']))
  t.ok(mayFollow(before, above, [undefined]))
  t.ok(mayFollow(before, below, ['b']), 'what comes below moves nothing')
  t.notOk(mayFollow(before, layOut([wave(0, ['c'])], room(1000)), ['b']), 'nor does it vanish')
  t.ok(mayFollow(before, layOut([wave(0, ['a', 'b', 'c'])], room(300)), ['b']), 'a board of another width is another')
  t.equal(newIn(before, above), 1)
  t.ok(isSameLayout(before, layOut([wave(0, ['b', 'c'])], room(1000))))
  t.notOk(isSameLayout(before, above))
})

t.test('keys move between stacks, lanes and waves', async (t) => {
  const layout = layOut([wave(0, ['a', 'b', 'c']), wave(1, ['d']), wave(2, keys(12))], room(1632))
  const to = (from: string, ...moves: Parameters<typeof moved>[2][]) =>
    moves.reduce((key, move) => moved(layout, key, move), from)
  t.equal(to('a', 'next'), 'b')
  t.equal(to('a', 'previous'), 'a')
  t.equal(to('c', 'next'), 'd', 'a wave goes on into the next')
  t.equal(to('d', 'previous'), 'c')
  t.equal(to('c', 'right'), 'd', 'to what is nearest in height')
  t.equal(to('d', 'left'), 'a')
  t.equal(to('d', 'right'), 's0')
  t.equal(to('s1', 'right'), 's7', 'to the lane beside it')
  t.equal(to('s7', 'left', 'left'), 'd')
  t.equal(to('s1', 'last'), 's11')
  t.equal(to('s11', 'right'), 's11', 'there is nothing beyond the last wave')
  t.equal(to('s11', 'first'), 's0')
  t.equal(to('s0', 'page down'), 's6')
  t.equal(to('gone', 'next'), 'gone')
})

t.test('keys move within the strip of cells', async (t) => {
  const layout = layOut([wave(0, ['x'], keys(100)), wave(1, ['d'])], room(1000))
  const perRow = keys(100).findIndex((key) => layout.places.get(key)?.y !== layout.places.get('s0')?.y)
  t.equal(moved(layout, 's0', 'right'), 's1')
  t.equal(moved(layout, `s${perRow - 1}`, 'right'), 'd', 'from the end of a row to the next wave')
  t.equal(moved(layout, 'x', 'next'), 's0')
})

t.test('filters are by status and by words of the key', async (t) => {
  const shown = (filter: Parameters<typeof filterOf>[0]) =>
    [row('data/db'), row('data/cache', { status: 'failed' }), row('apps/db', { status: 'unknown' })]
      .filter(filterOf(filter))
      .map(({ key }) => key)
  t.same(shown({}), ['data/db', 'data/cache', 'apps/db'])
  t.same(shown({ status: ['failed', 'unknown'] }), ['data/cache', 'apps/db'])
  t.same(shown({ q: 'DB data' }), ['data/db'])
  t.same(shown({ status: ['failed'], q: 'db' }), [])
  t.notOk(isFiltered({}))
  t.ok(isFiltered({ q: 'db' }))
})
