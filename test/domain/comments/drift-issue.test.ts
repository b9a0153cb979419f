import t from 'tap'
import { type DriftIssue, driftEssence, driftIssueText, driftMarker } from '#domain/comments/drift-issue.ts'

const issue = (changes: Partial<DriftIssue> = {}): DriftIssue => ({
  stackId: 'a1',
  key: 'net/prod:eu',
  is: 'drifted',
  summary: { adds: 0, changes: 1, destroys: 0, replaces: 1, changed: ['b.two'], replaced: ['a.one'] },
  run: { id: 'r1', html_url: 'https://svc.test/runs/r1' },
  checkedAt: new Date('2026-03-04T05:06:07Z'),
  since: new Date('2026-03-01T05:06:07Z'),
  ...changes,
})

const bodyOf = (changes: Partial<DriftIssue> = {}) => driftIssueText(issue(changes)).body

t.test('an issue says what drifted, since when, by which check, and what to do', async (t) => {
  t.equal(driftIssueText(issue()).title, 'svc: net/prod:eu drifted')
  const body = bodyOf()
  t.ok(body.startsWith(driftMarker('a1')))
  for (const said of [
    /`net\/prod:eu`: \+0 ~1 -0 ±1, first seen 2026-03-01 05:06 UTC/,
    /\[What a plan would change\]\(https:\/\/svc\.test\/runs\/r1\?stack=net%2Fprod%3Aeu\)/,
    /```diff\n-\/\+ a\.one\n! b\.two\n```/,
    /\*\*Next:\*\* Find out who changed it/,
    /\[Check\]\(https:\/\/svc\.test\/runs\/r1\) `r1` of 2026-03-04 05:06 UTC/,
  ]) {
    t.match(body, said)
  }
  t.match(bodyOf({ is: 'clean' }), /^<!-- svc:drift a1 -->\n\n### ✅ No drift any more\n\n`net\/prod:eu` matches/)
  t.match(bodyOf({ is: 'gone' }), /no longer has this stack/)
  t.match(bodyOf({ summary: undefined, since: undefined }), /`net\/prod:eu`\. \[What/, 'without figures too')
})

t.test('the plan that would mend it is folded away, and says if there is more of it', async (t) => {
  t.notMatch(bodyOf(), /details/)
  const text = '  # a.one will be replaced\n-/+ resource "a" "one" {\n    }\n```\n</details>\nPlan: 1 to add.'
  const whole = bodyOf({ plan: { text, cut: false } })
  t.match(
    whole,
    /<details><summary>The plan that would mend it<\/summary>\n\n````diff\n.*Plan: 1 to add\.\n````\n\n<\/details>/s,
  )
  t.match(bodyOf({ plan: { text, cut: true } }), /````\n\n\[The plan goes on on the page of the check\]\(https:/)
  t.notMatch(bodyOf({ is: 'clean', plan: { text, cut: false } }), /details/)
})

t.test('foreign text never becomes markup, and never exceeds what the code host accepts', async (t) => {
  const key = `x/<!-- -->|@ada/\`${'k'.repeat(400)}`
  const changed = ['```\n# gone', ...Array.from({ length: 5000 }, (_, i) => `module.m["${i}"].resource.name`)]
  const { title, body } = driftIssueText(
    issue({ key, summary: { adds: 0, changes: 5000, destroys: 0, replaces: 0, changed } }),
  )
  t.ok(title.length <= 256)
  t.ok(body.length <= 65_535)
  t.equal(body.match(/<!--/g)?.length, 1, 'only the marker')
  t.match(body, /````diff\n! ```/, 'the fence is longer than any in it')
  t.match(body, /more on the page of the check/)
})

t.test('the same drift gives the same essence, whichever check finds it and in whatever order', async (t) => {
  const same = (changes: Partial<DriftIssue>) => JSON.stringify(driftEssence(issue(changes)))
  const base = same({})
  const later = { run: { id: 'r2', html_url: 'x' }, checkedAt: new Date(), since: undefined }
  t.equal(same(later), base)
  const two = { adds: 2, changes: 0, destroys: 0, replaces: 0 }
  t.equal(same({ summary: { ...two, added: ['a', 'b'] } }), same({ summary: { ...two, added: ['b', 'a'] } }))
  t.not(same({ summary: { ...two, added: ['a', 'c'] } }), same({ summary: { ...two, added: ['a', 'b'] } }))
  t.not(same({ is: 'clean' }), base)
  t.equal(same({ is: 'clean', summary: undefined }), same({ is: 'clean' }))
})
