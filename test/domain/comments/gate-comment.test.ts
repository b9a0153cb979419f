import t from 'tap'
import { findCommand } from '#domain/comments/comment-command.ts'
import { helpComment, refusalComment } from '#domain/comments/gate-comment.ts'
import { parseRepoConfig } from '#domain/config/config-file.ts'
import { evaluateGate, type GateFacts, type PullFacts } from '#domain/gate/evaluate-gate.ts'
import { check, facts, HEAD, owning, plan, pulled, review, stack } from '#test/domain/gate/gate-facts.ts'

const run = { id: 'run-1', html_url: 'https://svc.example/runs/run-1' }

const answer = (given: GateFacts) => ({ report: evaluateGate(given), headSha: HEAD, run })

t.test('a refusal names everything in the way, in order, and says what is next', async (t) => {
  const given = { ...pulled({ draft: true }), reviews: [review('ann', 'APPROVED')], otherApply: { runId: 'run-8' } }
  t.equal(
    refusalComment(answer({ ...given, ...owning(['README.md'], 'README.md') })),
    [
      '### ❌ Apply of beef001 refused: 3 things stand in the way',
      '',
      '- `approval`: 0 of 1 needed approval of the head commit beef001; not counted: ann is the author. Ask somebody with push permission other than the author to approve beef001.',
      '- `mergeable`: The pull request is a draft. Mark it as ready for review.',
      '- `in_flight`: The apply run run-8 of this pull request is still in flight. Wait until it has ended, then ask again.',
      '',
      '**Next:** Nothing was applied and no lock was taken. Resolve what is listed, then comment `svc apply` again; `svc help` shows the current state.',
      '',
      '[Run](https://svc.example/runs/run-1) `run-1`',
    ].join('\n'),
  )
  const merged = refusalComment({ ...answer(facts({ how: 'on_merge', reviews: [] })), merged: true })
  t.match(merged, /^### ❌ Merged, and beef001 is not applied: 3 things stand in the way/)
  t.notMatch(merged, 'comment `svc apply`')
})

t.test('stacks are listed if there are several', async (t) => {
  const failed = ['b', 'a|`'].map((key) => stack(key, { checks: [check('cost', 'fail', 'too @dear <!--')] }))
  const body = refusalComment(answer(facts({ plan: plan({ stacks: failed }) })))
  t.match(body, '\n  <code>a&#124;&#96;</code>, `b`')
  t.match(body, 'one thing stands in the way')
  t.match(body, 'too @\u200bdear &lt;!--', 'and foreign texts are not markup')
})

t.test('an advised command is code, and foreign text is not', async (t) => {
  const locks = [{ stackKey: 'b`svc`|', runId: 'run-2', prNumber: 9 }]
  const body = refusalComment(answer(facts({ locks })))
  t.match(body, 'have its locks released with `svc unlock` there')
  t.notMatch(body, 'b`svc`')
})

t.test('help shows the commands and the current state of the gate', async (t) => {
  const open = helpComment(answer(facts()))
  for (const line of [
    '- `svc plan [key…]` plans the stacks again',
    '- `svc apply [key…]`',
    '- `svc unlock [key…]`',
    '- `svc help`',
    '### The apply gate for beef001 now: open',
    '| `permission` | ✅ passes | rob may apply. rob has write; rob is in acme/sre. |',
    '| `approval` | ✅ passes | 1 of 1 needed approvals of beef001. olga approved beef001. |',
    '**Next:** Read the plans; comment `svc apply` to apply them.',
  ])
    t.match(open, line)
  const { requester: _, ...nobody } = pulled({ mergeable: null, mergeableState: 'unknown' })
  const shut = helpComment(answer({ ...nobody, how: 'dry_run', plan: null }))
  for (const line of [
    'now: 3 things stand in the way',
    '| `permission` | ❔ not known | It depends on who asks for the apply. |',
    '| `mergeable` | ⏳ waits | Whether',
    '| `plan` | ❌ refuses | There is no plan of beef001. See whether',
    '**Next:** Resolve what is in the way',
  ])
    t.match(shut, line)
  const manual = helpComment(answer({ how: 'manual', policy: facts().policy }))
  t.match(manual, '| `approval` | ➖ not asked | A manual run has no pull request. |')
})

t.test('answers stay within the limit and are not commands themselves', async (t) => {
  const keys = Array.from({ length: 3000 }, (_, i) => `${i}-${'x'.repeat(200)}`)
  const given: PullFacts = facts({
    policy: parseRepoConfig(`version: 1\n${keys.map((key) => `svc apply ${key}: 1`).join('\n')}`),
    locks: keys.map((stackKey, i) => ({ stackKey, runId: `run-${i}`, prNumber: 1000 + i })),
    plan: plan({ stacks: keys.map((key) => stack(key, { checks: [check('cost', 'fail', 'y'.repeat(4000))] })) }),
  })
  const refusal = refusalComment(answer(given))
  t.ok(refusal.length <= 65_000 && refusal.length > 60_000, `${refusal.length} characters`)
  t.match(refusal, '\n- … more on the page of the run.\n\n**Next:**')
  const help = helpComment(answer(given))
  t.match(help, '<br>… and 46 more |\n| `mode` | ❔ not known |')
  for (const body of [refusal, help, refusalComment({ ...answer(given), limit: 4000 })]) {
    t.equal(findCommand(body), undefined)
    t.ok(body.length <= 65_000)
  }
  t.ok(helpComment({ ...answer(given), limit: 4000 }).length <= 4000)
})
