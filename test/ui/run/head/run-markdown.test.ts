import t from 'tap'
import { runMarkdown } from '../../../../ui/run/head/run-markdown.ts'
import { tallyOf } from '../../../../ui/run/state/tally.ts'
import { head, row, rowsOf } from '../rows.ts'

t.test('a run as Markdown has its times in UTC, what needs somebody, and its stacks wave by wave', async (t) => {
  const summary = { adds: 1, changes: 2, destroys: 0, replaces: 3, imports: 0, moves: 0, output_changes: 0 }
  const rows = rowsOf(
    row('b|c', { wave: 1, status: 'unknown' }),
    row('z', { status: 'applied', summary, job_url: 'https://github.example/jobs/1' }),
    row('a', { status: 'failed' }),
  )
  const attention = [{ kind: 'stack_failed', stack_key: 'a', text: 'a failed, exit code 1' } as const]
  const run = head({ started_at: '2026-11-22T12:42:00Z', pr_title: 'Two\nlines', attention })
  t.equal(
    runMarkdown(run, tallyOf(rows)),
    [
      '**[Apply of #42: Two lines](https://svc.example.com/runs/2919a255)** in acme/infra: applying',
      '',
      'Commit `aaaaaaaa`, by grace; asked for 2026-11-22T12:41:00Z, began 2026-11-22T12:42:00Z.',
      '',
      '- a failed, exit code 1',
      '',
      '| wave | stack | status | plan | |',
      '|---|---|---|---|---|',
      '| 1 | `a` | failed |  |  |',
      '| 1 | `z` | applied | +1 ~2 -0 ±3 | [job](https://github.example/jobs/1) |',
      '| 2 | `b\\|c` | unknown |  |  |',
      '',
    ].join('\n'),
  )
  t.notMatch(runMarkdown(run, tallyOf(rowsOf())), /\|/, 'no table without stacks')
})
