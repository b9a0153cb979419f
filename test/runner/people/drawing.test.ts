import t from 'tap'
import type { Run } from '#api/runs/run.ts'
import { drawingOf } from '#runner/people/drawing.ts'
import { cutTo, fitted } from '#runner/print/fitted-table.ts'

const stack = (key: string, wave: number, status: string, started_at?: string) =>
  ({ key, path: key, wave, status, stack_id: key, started_at }) as NonNullable<Run['stacks']>[number]

const run = (stacks: Run['stacks']): Run => ({
  ...{ id: 'x', repo: 'acme/infra', sha: 'a'.repeat(40), trigger: 'comment', mode: 'apply', status: 'applying' },
  ...{ created_at: '2026-01-31T12:00:00Z', waves: 3, current_wave: 1, html_url: 'x', pr_number: 7, stacks },
})

const now = Date.parse('2026-01-31T12:02:05Z')

const drawn = (stacks: Run['stacks'], size: { columns: number; rows: number }): string[] =>
  drawingOf(run(stacks), size, (_, text) => text, now)

const stacks = [
  stack('base', 0, 'applied'),
  stack('noted', 0, 'noop'),
  stack('app/prod', 1, 'applying', '2026-01-31T12:01:20Z'),
  stack('app/stage', 1, 'failed'),
  stack('top', 2, 'pending'),
]

t.test('a run is drawn wave by wave, with the stacks that move or went badly', async (t) => {
  t.same(drawn(stacks, { columns: 80, rows: 24 }), [
    'apply of acme/infra #7 at aaaaaaa: applying  2 min',
    'wave 1  ██████████  1 applied, 1 noop',
    'wave 2  █████·····  1 applying, 1 failed',
    '  app/prod  applying 45 s',
    '  app/stage  failed',
    'wave 3  ··········  1 pending',
  ])
})

t.test('a drawing is never larger than the terminal, since the cursor goes up no further', async (t) => {
  const many = Array.from({ length: 300 }, (_, i) => stack(`some/rather/long/name-of-a-stack-${i}`, i % 30, 'failed'))
  for (const [columns, rows] of [
    [80, 40],
    [20, 10],
    [5, 3],
  ] as const) {
    const lines = drawn(many, { columns, rows })
    t.ok(lines.length >= 1 && lines.length <= Math.max(1, rows - 2), `${lines.length} lines of ${rows}`)
    t.ok(lines.every((line) => [...line].length < columns))
  }
  t.match(drawn([stack('a\u001b[2Jb', 0, 'failed')], { columns: 80, rows: 24 }).join(), /a\ufffd\[2Jb/)
})

t.test('columns get narrower from the widest on, and some never', (t) => {
  const table: [wanted: number[], isWhole: boolean[], width: number, gives: number[]][] = [
    [[10, 20], [false, false], 40, [10, 20]],
    [[10, 30], [false, false], 32, [10, 20]],
    [[30, 30], [false, false], 42, [20, 20]],
    [[30, 30], [true, false], 42, [30, 10]],
    [[30, 30], [true, false], 10, [30, 8]],
    [[30], [true], 10, [30]],
  ]
  for (const [wanted, isWhole, width, gives] of table) t.same(fitted(wanted, isWhole, width), gives)
  t.same(
    ['abcdefgh', 'abcdefghi', 'äöüßéèêëç'].map((text) => cutTo(text, 8)),
    ['abcdefgh', 'abcd…ghi', 'äöüß…êëç'],
  )
  t.equal(cutTo('abc', 1), '…')
  t.end()
})
