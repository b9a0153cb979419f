import t from 'tap'
import { age, orphanedComment, reminderComment, unlockedComment } from '#domain/comments/lock-comments.ts'
import { commentLimit } from '#domain/comments/pull-comment.ts'

const run = { id: 'r-1', html_url: 'https://svc.test/runs/r-1' }
const at = (time: string) => new Date(`2026-03-0${time}:00Z`)
const held = (key: string, takenAt = at('1T12:00')) => ({ key, takenAt, run })

t.test('the comment on a released lock says who, why and what now', async (t) => {
  const given = { keys: ['net/vpc'], actor: 'apikey:ci', reason: 'ada left', forceState: false, run }
  t.equal(
    unlockedComment(given),
    `### 🔓 A lock was released

Held by this pull request, released by \`apikey:ci\`: ada left

- \`net/vpc\`

**Next:** Others can change these stacks now. What this pull request applied is still there, though the default branch may differ: comment \`svc plan\`, then \`svc apply\`, to continue, or revert it.

[Run](https://svc.test/runs/r-1) \`r-1\``,
  )
})

t.test('a release after a runner that died asks for a check of the state lock', async (t) => {
  t.equal(
    unlockedComment({ keys: ['b', 'a'], actor: 'grace', forceState: true, run }),
    `### 🔓 2 locks were released

Held by this pull request, released by \`grace\`

- \`a\`
- \`b\`

⚠️ Released as after a runner that died during an apply. The tool may still hold its own lock on the state, and may have changed things without recording them: the service cannot see either, and touches neither.

**Next:** See in the log of the job how far the apply came. If the state is still locked, release it with \`force-unlock\` of the tool once nothing runs any more. Then comment \`svc plan\`, and compare the plan with what you expect.

[Run](https://svc.test/runs/r-1) \`r-1\``,
  )
})

t.test('a pull request that left stacks changed is told how to fix them', async (t) => {
  t.equal(
    orphanedComment([held('a'), held('b')], { kind: 'closed' }),
    `### ⚠️ Closed, and 2 locks still held

This pull request was closed without being merged after stacks of it were applied, or may have been: what is there does not match the default branch.

- \`a\`
- \`b\`

**Next:** Reopen it and merge it, or bring the stacks in line with the default branch. Then comment \`svc unlock\` here: until then no other pull request can apply them.

[Run](https://svc.test/runs/r-1) \`r-1\``,
  )
  t.match(
    orphanedComment([held('a')], { kind: 'merged' }),
    /^### ⚠️ Closed, and 1 lock still held\n\nThis pull request is merged, and its apply did not end well everywhere/,
  )
  t.match(
    orphanedComment([held('a')], { kind: 'merged_elsewhere', branch: 'rel`@eve' }),
    /merged into <code>rel&#96;@eve<\/code>, which is not the default branch, after.*\*\*Next:\*\* Bring that branch into/s,
  )
})

t.test('a reminder says for how long, by which run, and how to release the locks', async (t) => {
  t.equal(
    reminderComment([held('a'), held('b', at('2T11:30'))], at('2T12:00')),
    `### 🔒 This pull request holds 2 locks

Until they are released, nobody else can apply these stacks.

- \`a\` for 24 hours, by [run](https://svc.test/runs/r-1) \`r-1\`
- \`b\` for 30 minutes, by [run](https://svc.test/runs/r-1) \`r-1\`

**Next:** Apply what is left and merge, which releases them; or close this pull request if nothing was applied; or comment \`svc unlock\` if what is there may stay as it is.`,
  )
})

t.test('foreign text stays text, and no comment is too long', async (t) => {
  const keys = Array.from({ length: 3000 }, (_, index) => `${'deep/'.repeat(190)}${index}`)
  const reason = '@octo <!-- *x* -->\n# big'
  const comment = unlockedComment({ keys, actor: 'eve`<b>', reason, forceState: true, run })
  t.notMatch(comment, /@octo|<!--|<b>|^# big/m)
  t.match(comment, /- … and 2950 more/)
  for (const text of [
    comment,
    reminderComment(
      keys.map((key) => held(key)),
      at('2T12:00'),
    ),
  ]) {
    t.ok(text.length <= commentLimit)
  }
})

t.test('an age is given in the unit that people would use', async (t) => {
  const from = at('1T00:00')
  const cases: [to: Date, age: string][] = [
    [at('1T00:00'), 'less than a minute'],
    [at('1T01:59'), '119 minutes'],
    [at('1T02:00'), '2 hours'],
    [at('3T23:00'), '71 hours'],
    [at('4T01:00'), '3 days'],
  ]
  for (const [to, said] of cases) t.equal(age(from, to), said)
})
