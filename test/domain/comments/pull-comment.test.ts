import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { commentLimit, commentMarker, pullComment } from '#domain/comments/pull-comment.ts'
import type { ReportedStack } from '#domain/run-report.ts'
import type { StackStatus } from '#domain/run-status.ts'
import { inspect } from './inspect-comment.ts'
import { reports, run, stack } from './sample-reports.ts'

/*
 * Golden comments: `UPDATE_GOLDEN=1 node test/domain/comments/pull-comment.test.ts` writes them again, for review in the diff.
 */
const folder = new URL('../../fixtures/comments/', import.meta.url)
const fileOf = (name: string) => `${name.replaceAll(' ', '-')}.md`

for (const [name, report] of Object.entries(reports)) {
  t.test(`the comment on a run that is "${name}" reads as its golden file`, async (t) => {
    const comment = pullComment(report, { apply: 'comment' })
    const file = new URL(fileOf(name), folder)
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, `${comment}\n`)
    t.equal(`${comment}\n`, readFileSync(file, 'utf8'))
    t.same(inspect(comment).faults, [])
  })
}

t.test('no golden file is left over from a report that is gone', async (t) => {
  t.same(readdirSync(folder).sort(), Object.keys(reports).map(fileOf).sort())
})

t.test('foreign text stays text', async (t) => {
  const comment = pullComment(reports['hostile names and texts']!)
  const outside = inspect(comment).outside.join('\n')
  t.notMatch(outside.replace(commentMarker, ''), /<!--|<script|<img|<b>|javascript:/)
  t.notMatch(outside.replace(/<code>.*?<\/code>/g, ''), /@octo/, 'nobody is mentioned')
  for (const char of ['\u001b', '\r', '\u202e']) t.notOk(comment.includes(char), JSON.stringify(char))
})

t.test('errors come before plans, however long they are', async (t) => {
  const error = stack('zone', { status: 'failed', plan_text: undefined, error_text: 'Error: no\n'.repeat(100) })
  const { outside } = inspect(pullComment({ run: run({ status: 'failed' }), stacks: [stack('network'), error] }))
  t.match(
    outside.filter((line) => line.startsWith('<details>')),
    [/zone/, /network/],
  )
})

t.test('an apply under way says what went wrong, and what becomes of it', async (t) => {
  const { run: applying, stacks } = reports.applying!
  const first = (...statuses: ('failed' | 'unknown' | 'applied')[]): string[] => {
    const rows = stacks.map((one, at) => ({ ...one, status: statuses[at] ?? one.status }))
    const { outside } = inspect(pullComment(reports.planned!, { applied: { run: applying, stacks: rows } }))
    return outside.filter((line) => /^(### . Apply|\*\*Next)/u.test(line))
  }
  t.match(first('failed'), [/Wave 2 of 3: 1 of 3 stacks done, 1 failed$/, /Fix what failed.*no further wave starts/])
  t.match(first('failed', 'unknown'), [/1 failed, 1 unknown$/, /see in its log.*no further wave starts/])
  t.match(first('applied'), [/1 of 3 stacks done$/, /a wave starts when the one before it/])
})

t.test('the next step follows how applies start', async (t) => {
  const report = reports['planned in one wave']!
  t.match(pullComment(report, { apply: 'comment' }), /\*\*Next:\*\* Read the plans; comment `svc apply`/)
  t.match(pullComment(report, { apply: 'on_merge' }), /\*\*Next:\*\* Read the plans; merging/)
  t.match(pullComment(report, { apply: 'off' }), /\*\*Next:\*\* Read the plans; applies of this repository are started/)
  t.match(pullComment(report), /\*\*Next:\*\* Read the plans\./)
})

t.test('notes about the pull request are at the top', async (t) => {
  const comment = pullComment(reports.pending!, { notes: ['It conflicts with main, so that no job runs.'] })
  t.match(comment.split('\n')[3], '- It conflicts with main, so that no job runs.')
})

/** A small generator with a seed: a report that fails can be generated again. */
const random = (seed: number) => () => {
  seed = (seed * 1664525 + 1013904223) % 2 ** 32
  return seed / 2 ** 32
}

t.test('whatever the report, a comment is never over the limit, and well formed to the end', async (t) => {
  const statuses: StackStatus[] = [
    'pending',
    'planning',
    'planned',
    'noop',
    'failed',
    'blocked',
    'unknown',
    'skipped',
    'unconfirmed',
    'superseded',
  ]
  const bits = [
    '```',
    '\n',
    '<details>',
    '</details>',
    '<!--',
    '|',
    '\\',
    '`',
    'x'.repeat(200),
    '# a',
    '\n\n',
    '@b',
    '~~~',
    '🙂',
    '\ud83d',
  ]
  const wrong: string[] = []
  for (let seed = 1; seed <= 300; seed++) {
    const next = random(seed)
    const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!
    const text = (length: number) => Array.from({ length: Math.floor(next() * length) }, () => pick(bits)).join('')
    const stacks: ReportedStack[] = Array.from({ length: Math.floor(next() ** 3 * 300) }, (_, at) =>
      stack(`${text(8)}${at}`, {
        wave: Math.floor(next() * 4),
        status: pick(statuses),
        plan_text: next() < 0.7 ? text(next() < 0.1 ? 3000 : 60) : undefined,
        error_text: next() < 0.2 ? text(400) : undefined,
        via: [text(4), text(4)],
        blocked_by: [text(6)],
        checks:
          next() < 0.3
            ? [{ name: 'c', status: 'fail', summary: text(50), details_url: `https://x.test/${text(3)}` }]
            : [],
      }),
    )
    const failure = next() < 0.1 ? { reason: text(99), cycles: [text(99), text(99)] } : undefined
    const limit = pick([4_000, 20_000, commentLimit])
    const given = {
      run: run({ warnings: Array.from({ length: 20 }, () => ({ code: 'x', message: text(40) })), failure }),
      stacks,
    }
    const comment = pullComment(given, { limit, notes: [text(20)] })
    const { faults } = inspect(comment)
    if (comment.length > limit) faults.push(`${comment.length} characters of ${limit}`)
    if (!comment.isWellFormed()) faults.push('half a character')
    wrong.push(...faults.map((fault) => `seed ${seed}: ${fault}`))
  }
  t.same(wrong, [])
})

t.test('the newest apply is above the plan, in a third of the room at most', async (t) => {
  const early = new Date('2026-03-01T12:00:00Z')
  const late = new Date('2026-03-01T13:00:00Z')
  const of = (report: (typeof reports)[string], created_at: Date) => ({ ...report, run: { ...report.run, created_at } })
  const stacks = Array.from({ length: 400 }, (_, at) =>
    stack(`stack-${at}`, { status: 'failed', error_text: 'Error: no\n'.repeat(50) }),
  )
  const many = { run: run({ mode: 'apply', status: 'failed', waves: 1 }), stacks }
  for (const limit of [4_000, 20_000, commentLimit]) {
    for (const applied of [reports['apply failed']!, reports.applying!, many]) {
      for (const [planned, at] of [
        [early, late],
        [late, early],
      ] as const) {
        const comment = pullComment(of(reports.planned!, planned), { limit, applied: of(applied, at) })
        const { faults, outside } = inspect(comment)
        t.same(
          faults.filter((fault) => !fault.startsWith('rows of')),
          [],
        )
        t.ok(comment.length <= limit, `${comment.length} of ${limit}`)
        const heads = outside.filter((line) => line.startsWith('### '))
        t.match(heads, [/Apply of/, /Plan of/])
        t.equal(outside.filter((line) => line.startsWith('**Next:**')).length, 1, 'one thing to do next')
      }
    }
  }
})
