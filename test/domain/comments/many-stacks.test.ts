import t from 'tap'
import { commentLimit, pullComment } from '#domain/comments/pull-comment.ts'
import { inspect, tablesOf } from './inspect-comment.ts'
import { mixed } from './many-stacks.ts'
import { run, stack } from './sample-reports.ts'

/* What a comment holds of more stacks, and of longer plans, than it has room for. */

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

t.test('of more rows than fit the rest is counted and named, and those without changes have none', async (t) => {
  const stacks = Array.from({ length: 2000 }, (_, at) =>
    stack(`a/rather/deep/directory/of/stack-${at}`, { wave: at % 3, status: at % 2 === 0 ? 'noop' : 'planned' }),
  )
  const { faults, outside } = inspect(pullComment({ run: run(), stacks }))
  t.same(faults, [])
  const rows = outside.filter((line) => line.startsWith('| ')).length - 2
  t.ok(rows > 120, `${rows} rows`)
  t.notOk(outside.some((line) => line.startsWith('| ') && line.includes('no changes')))
  const named = (line: string | undefined): number => line?.match(/`a\/rather/g)?.length ?? 0
  const rest = outside.find((line) => line.startsWith(`… and [${1000 - rows} more stacks](${run().html_url}): `))
  t.ok(named(rest) > 50, `${named(rest)} of the rest are named`)
  const quiet = outside.find((line) =>
    line.startsWith(`[1000 stacks](${run().html_url}?status=noop) without changes: `),
  )
  t.ok(named(quiet) > 50 && quiet?.endsWith(' …'), `${named(quiet)} of those without changes are named`)
})

t.test(
  'with 300 stacks of all sizes there is room for the table, for what is lost, and for many small plans',
  async (t) => {
    const stacks = mixed(300)
    const comment = pullComment({ run: run({ status: 'failed', waves: 4 }), stacks })
    const { faults, outside } = inspect(comment)
    t.same(faults, [])
    t.ok(comment.length <= commentLimit && comment.length > commentLimit - 1_000, `${comment.length} characters`)
    t.match(outside.slice(1, 4), [/^### . Plan of .*3 failed/, '', /^\*\*Next:\*\* Fix what failed and push/])
    const titles = outside.filter((line) => line.startsWith('<details>'))
    t.match(titles[0], /All 300 stacks, by wave/)
    t.match(titles.slice(1, 4), [/ failed</, / failed</, / failed</], 'errors first')
    const losing = stacks.filter(({ summary }) => summary?.destroys === 1)
    for (const { key, summary } of losing) {
      const at = titles.findIndex((title) => title.includes(`<code>${key}</code>`))
      t.ok(at > 3 && at < 4 + losing.length, `${key} is behind what failed`)
      t.match(comment, `- ${summary?.destroyed?.[0]}\n`)
    }
    const small = titles.slice(4 + losing.length)
    t.ok(small.length > 100, `${small.length} other plans are there`)
    const quiet = stacks.filter(({ status }) => status === 'noop').map(({ key }) => `<code>${key}</code>`)
    t.notOk(
      small.some((title) => quiet.some((name) => title.includes(name))),
      'none of which changes nothing',
    )
    const rows = outside.filter((line) => /^\| \d/.test(line))
    t.ok(rows.length > 120, `${rows.length} rows`)
    t.same(
      rows.filter((row) => !row.includes(`](${run().html_url}?stack=`)),
      [],
      'each leads to its place',
    )
    const named = outside.filter((line) => /^(?:… and )?\[\d+ (?:more )?stacks?\]/.test(line)).join()
    const told = `${rows.join()}${named}`
    t.same(
      stacks.filter(({ key }) => !told.includes(`\`${key}\``)).map(({ key }) => key),
      [],
      'every stack has its name there',
    )
  },
)

t.test('of a plan that is too long its addresses are shown, what goes away first', async (t) => {
  const summary = {
    ...{ adds: 1, changes: 0, destroys: 1, replaces: 1 },
    ...{ added: ['a.new'], destroyed: ['a.gone'], replaced: ['a.again'] },
  }
  const comment = pullComment({
    run: run(),
    stacks: [stack('huge', { summary, plan_text: 'a line\n'.repeat(20_000) })],
  })
  t.match(comment, '```diff\n- a.gone\n-/+ a.again\n+ a.new\n```\n\n[Its plan](')
  t.match(comment, `(${run().html_url}?stack=huge) has no room here.`)
  t.same(inspect(comment).faults, [])
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
