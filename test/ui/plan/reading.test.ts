import t from 'tap'
import { countIn, findIn, firstFrom, mostMatches, piecesOf } from '../../../ui/plan/find.ts'
import { isOpen, kept, readFold, turned, writeFold } from '../../../ui/plan/fold.ts'
import { layoutOf, linesIn, placedIn, sectionAt, yOfLine } from '../../../ui/plan/layout.ts'
import { choose, readRange, writeRange } from '../../../ui/plan/line-range.ts'
import { outlineOf, type Section } from '../../../ui/plan/outline.ts'
import { toneOf } from '../../../ui/plan/sign.ts'

const block = (address: string, sentence: string): string =>
  `  # ${address} ${sentence}\n  ~ resource "a" "y" {\n      ~ a = 1\n    }\n`
/** Parts begin at lines 1, 3, 8, 13 and 18. */
const text = [
  'Before\n',
  block('x.add', 'will be created'),
  block('x.gone', 'will be destroyed'),
  block('x.new', 'must be replaced'),
  'Plan: 2 to add, 0 to change, 2 to destroy.\n',
].join('\n')
const outline = outlineOf(text)
const { sections } = outline
const section = (at: number): Section => sections[at] ?? { kind: 'rest', from: 0, to: 0 }

const openOnes = (fold: string | undefined, hash = ''): number[] =>
  sections.flatMap((one, at) => (isOpen(one, readFold(fold), readRange(hash), sections.length) ? [at] : []))

t.test('what destroys or replaces is open, and what somebody opens or folds besides', async (t) => {
  t.same(openOnes(undefined), [2, 3])
  t.same(openOnes('all'), [0, 1, 2, 3, 4])
  t.same(openOnes('none'), [])
  t.same(openOnes('3,-8'), [1, 3])
  t.same(openOnes('all,-8'), [0, 1, 3, 4])
  t.same(openOnes('nonsense,0,-0,1e3,x'), [2, 3])
})

t.test('the part that the address names a line of is open, unless it was folded', async (t) => {
  t.same(openOnes(undefined, 'L4'), [1, 2, 3])
  t.same(openOnes('none', 'L1-L4'), [0, 1])
  t.same(openOnes('-3', 'L4'), [2, 3])
  t.same(openOnes(undefined, 'L7'), [2, 3], 'an empty line is in none')
})

t.test('a text of one part is open', async (t) => {
  const [only] = outlineOf('Error: no\n').sections
  t.ok(only && isOpen(only, readFold(undefined), undefined, 1))
})

t.test('folding and opening is kept in the address as short as it can be', async (t) => {
  const go = (fold: string | undefined, at: number, open: boolean) =>
    writeFold(turned(readFold(fold), section(at), open, sections.length))
  t.equal(go(undefined, 1, true), '3')
  t.equal(go('3', 1, false), '-3')
  t.equal(go(undefined, 2, false), '-8')
  t.equal(go('-8', 2, true), undefined)
  t.equal(go('all', 4, false), 'all,-18')
})

t.test('what a line opened stays open when another line is chosen', async (t) => {
  t.equal(writeFold(kept(readFold(undefined), sections, readRange('L4'))), '3')
  t.equal(writeFold(kept(readFold(undefined), sections, readRange('L9'))), undefined, 'it is open by itself')
  t.equal(writeFold(kept(readFold('-3'), sections, readRange('L4'))), '-3')
})

t.test('lines in the address', async (t) => {
  t.same(readRange('#L120-L140'), { first: 120, last: 140 })
  t.same(readRange('L140-L120'), { first: 120, last: 140 })
  t.same(readRange('L7'), { first: 7, last: 7 })
  for (const nonsense of ['', 'L0', 'L', 'l7', 'L7-', 'L7-9', 'top', 'L12345678901'])
    t.equal(readRange(nonsense), undefined, nonsense)
  t.equal(writeRange({ first: 3, last: 3 }), 'L3')
  t.equal(writeRange({ first: 3, last: 9 }), 'L3-L9')
  t.same(choose(5, undefined, true), { first: 5, last: 5 })
  t.same(choose(9, { first: 5, last: 5 }, true), { first: 5, last: 9 })
  t.same(choose(2, { first: 5, last: 9 }, true), { first: 2, last: 9 })
  t.same(choose(2, { first: 5, last: 9 }, false), { first: 2, last: 2 })
})

t.test('finding', async (t) => {
  const matches = findIn(outline.lines, 'X.')
  t.same(
    matches.map(({ line }) => line),
    [2, 7, 12],
  )
  t.same(findIn(outline.lines, ''), [])
  t.same(findIn(['a+b (c', 'a+b'], 'a+b').length, 2, 'it is a text, not a pattern')
  t.same(
    findIn(['aaaa'], 'aa').map(({ from }) => from),
    [0, 2],
  )
  t.equal(findIn(Array(mostMatches + 5).fill('e'), 'e').length, mostMatches)
  t.equal(firstFrom(matches, 3), 1)
  t.equal(firstFrom(matches, 13), 0, 'it goes round')
  t.equal(countIn(matches, 2, 8), 2)
  t.equal(countIn(matches, 13, 20), 0)
  t.equal(countIn(matches, 0, 100), 3)
  t.same(piecesOf('  # x.gone', 7, matches), [{ text: '  # ' }, { text: 'x.', match: 1 }, { text: 'gone' }])
  t.same(piecesOf('none', 8, matches), [{ text: 'none' }])
})

const heights = { head: 32, line: 20, foot: 12 }

t.test('where lines stand, and which are drawn', async (t) => {
  const layout = layoutOf(outline, readFold(undefined), undefined, heights)
  t.same(
    layout.placed.map(({ top }) => top),
    [0, 32, 64, 64 + 124, 64 + 248],
  )
  t.equal(layout.height, 64 + 248 + 32)
  t.equal(sectionAt(layout, 70), 2)
  t.equal(sectionAt(layout, -5), 0)
  t.equal(sectionAt(layout, 10_000), 4)
  t.same(
    placedIn(layout, 65, 70).map(({ at }) => at),
    [2],
  )
  t.equal(yOfLine(layout, 9, heights), 64 + 32 + 40, 'a line of an open part')
  t.equal(yOfLine(layout, 4, heights), 32, 'a folded part instead of its line')
})

t.test('of 40,000 lines only those in view are drawn', async (t) => {
  const long = outlineOf('line\n'.repeat(40_000))
  const bare = { ...heights, head: 0 }
  const view = { top: 400_000, bottom: 400_800 }
  const [placed] = placedIn(layoutOf(long, readFold(undefined), undefined, bare), view.top, view.bottom)
  if (!placed) throw new Error('nothing is drawn')
  const { from, to } = linesIn(placed, bare, view)
  t.ok(from <= 20_000 && to >= 20_040 && to - from < 100, `${from} to ${to}`)
})

t.test('signs say what a line does', async (t) => {
  const lines = [
    '  + a',
    '      ~ a',
    '  - a',
    '-/+ resource',
    '+/- resource',
    '  # note',
    ' <= data',
    '    a',
    '+no',
    '',
  ]
  t.same(lines.map(toneOf), [
    ...['add', 'change', 'destroy', 'replace', 'replace', 'quiet'],
    ...[undefined, undefined, undefined, undefined],
  ])
})
