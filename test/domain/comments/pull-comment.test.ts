import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { commentLimit, commentMarker, pullComment } from '#domain/comments/pull-comment.ts'
import type { ReportedStack } from '#domain/run-report.ts'
import type { StackStatus } from '#domain/run-status.ts'
import { reports, run, stack } from './sample-reports.ts'

/*
 * Golden comments: `UPDATE_GOLDEN=1 node test/domain/comments/pull-comment.test.ts` writes them again, for review in the diff.
 */
const folder = new URL('../../fixtures/comments/', import.meta.url)
const fileOf = (name: string) => `${name.replaceAll(' ', '-')}.md`

/**
 * What GitHub would stumble over: fences and elements that do not pair up, rows of different length, a missing beginning or
 * end. `outside` are the lines that GitHub reads as Markdown.
 */
const inspect = (comment: string): { faults: string[]; outside: string[] } => {
  const faults: string[] = []
  const outside: string[] = []
  let fence = ''
  let open = 0
  for (const line of comment.split('\n')) {
    const ticks = /^(`{3,})(?:diff)?$/.exec(line)?.[1] ?? ''
    if (fence !== '') {
      if (ticks.length >= fence.length) fence = ''
      continue
    }
    if (ticks !== '') fence = ticks
    else outside.push(line)
    open += (ticks === '' && line.startsWith('<details>') ? 1 : 0) - (line === '</details>' ? 1 : 0)
    if (open < 0 || open > 1) faults.push(`${open} blocks open at ${line}`)
  }
  if (fence !== '') faults.push(`a fence is open: ${fence}`)
  if (open !== 0) faults.push(`${open} blocks are open`)
  if (!comment.startsWith(`${commentMarker}\n`)) faults.push('it does not begin with the marker')
  if (!outside.at(-1)?.startsWith('[Run](')) faults.push('it does not end with the link to the run')
  for (const table of tablesOf(outside)) {
    const cells = new Set(table.map((line) => line.replace(/\\./g, '').split('|').length))
    if (cells.size > 1) faults.push(`rows of ${[...cells]} cells`)
  }
  return { faults, outside }
}

/** Rows that follow each other. */
const tablesOf = (lines: readonly string[]): string[][] =>
  lines
    .join('\n')
    .split(/\n(?!\|)/)
    .map((part) => part.split('\n').filter((line) => line.startsWith('|')))

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

t.test('plans are shown by wave and key, only the smallest if not all fit, and links for the rest', async (t) => {
  const sized = (key: string, lines: number) => stack(key, { plan_text: 'a line of a plan\n'.repeat(lines) })
  const stacks = [sized('big', 3000), sized('medium', 2000), sized('small', 10), sized('tiny', 1), sized('huge', 9000)]
  const comment = pullComment({ run: run({ waves: 1 }), stacks })
  const titles = inspect(comment).outside.filter((line) => line.startsWith('<details>'))
  t.match(titles, [/medium/, /small/, /tiny/])
  t.equal(titles.length, 3)
  t.match(
    comment,
    /\n2 more plans in \[the run\]\(\S+\): a comment holds no more\. \[`big`\]\(\S+stack=big\), \[`huge`\]/,
  )
  t.ok(comment.length > 30_000 && comment.length <= commentLimit)
})

t.test('errors come before plans, however long they are', async (t) => {
  const error = stack('zone', { status: 'failed', plan_text: undefined, error_text: 'Error: no\n'.repeat(100) })
  const { outside } = inspect(pullComment({ run: run({ status: 'failed' }), stacks: [stack('network'), error] }))
  t.match(
    outside.filter((line) => line.startsWith('<details>')),
    [/zone/, /network/],
  )
})

t.test('rows that do not fit are counted, and those without changes are dropped first', async (t) => {
  const stacks = Array.from({ length: 2000 }, (_, at) =>
    stack(`a/rather/deep/directory/of/stack-${at}`, { wave: at % 3, status: at % 2 === 0 ? 'noop' : 'planned' }),
  )
  const { faults, outside } = inspect(pullComment({ run: run(), stacks }))
  t.same(faults, [])
  const rows = outside.filter((line) => line.startsWith('| '))
  t.ok(rows.length > 250, `${rows.length} rows`)
  t.ok(!rows.some((row) => row.includes('no changes')))
  t.equal(
    outside.filter(
      (line) =>
        line === `… and [${2002 - rows.length} more stacks](${run().html_url}), those without changes among them.`,
    ).length,
    1,
  )
})

t.test('of many stacks those that lose something stand first too, where they are few', async (t) => {
  const losing = (at: number) => ({ adds: 0, changes: 1, destroys: at % 2, replaces: (at + 1) % 2 })
  const first = (count: number): string[] => {
    const stacks = Array.from({ length: 300 }, (_, at) =>
      stack(`team/stack-${at}`, at < count ? { summary: losing(at) } : {}),
    )
    const { outside } = inspect(pullComment({ run: run({ waves: 1 }), stacks }))
    return outside
      .slice(
        0,
        outside.findIndex((line) => line.startsWith('<details>')),
      )
      .filter((line) => /^\| 1 /.test(line))
  }
  t.match(first(2), [/team\/stack-0/, /team\/stack-1/])
  t.equal(first(25).length, 25)
  t.same(first(26), [], 'more are no beginning')
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

t.test('of many stacks those that need somebody stand first, and all are a click away', async (t) => {
  const stacks = Array.from({ length: 300 }, (_, at) => stack(`team/stack-${at}`))
  const failed = { ...stack('team/broken'), status: 'failed' as const }
  const locked = { ...stack('zone/locked'), locked_by: { run_id: 'r', pr_number: 9 } }
  const comment = pullComment({ run: run({ waves: 1 }), stacks: [...stacks, failed, locked] })
  const { faults, outside } = inspect(comment)
  t.same(faults, [])
  const before = outside.slice(0, outside.indexOf('<details><summary>All 302 stacks, by wave</summary>'))
  t.match(
    before.filter((line) => line.startsWith('| 1 ')),
    [/team\/broken/, /zone\/locked.*#9/],
  )
  t.match(
    comment.slice(comment.indexOf('All 302 stacks'), comment.indexOf('</details>')),
    /team\/broken[\s\S]*team\/stack-299[\s\S]*zone\/locked/,
  )
  t.notMatch(pullComment({ run: run(), stacks: stacks.slice(0, 25) }), /All 25 stacks/)
  const all = pullComment({ run: run(), stacks: stacks.slice(0, 26) })
  t.match(all, /<summary>All 26 stacks/)
  t.equal(tablesOf(all.split('\n')).filter((rows) => rows.length > 0).length, 1, 'nothing needs anybody')
  t.notMatch(pullComment({ run: run(), stacks: stacks.map((one) => ({ ...one, status: 'failed' })) }), /All 300/)
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
