import t from 'tap'
import {
  answerMarker,
  appliedAnswer,
  forbiddenAnswer,
  givenUpAnswer,
  leftOutAnswer,
  mergeGivenUpAnswer,
  type ReplanHindrance,
  rateLimitedAnswer,
  replanHindrances,
  replanRefusedAnswer,
  unlockedAnswer,
  unreadableAnswer,
} from '#domain/comments/command-answers.ts'
import { commentLimit, commentMarker } from '#domain/comments/pull-comment.ts'
import { unmatchedComment } from '#domain/comments/unmatched-comment.ts'

const hostile = '<!-- `x` | @acme/all\u0000\n### -->'
const many = Array.from({ length: 3000 }, (_, at) => `stack-${String(at).padStart(4, '0')}`)
const long = many.map((key) => `${key}${'/|'.repeat(400)}`)
const lock = (stackKey: string, more: object = {}) => ({ stackKey, runId: 'run-1', ...more })

const answers: Record<string, string> = {
  unreadable: unreadableAnswer('plan', 'Write `svc plan [key…]`.'),
  forbidden: forbiddenAnswer('apply', hostile),
  'given up': givenUpAnswer('plan', hostile),
  'given up, of a merge': mergeGivenUpAnswer(hostile),
  'too many': rateLimitedAnswer(10),
  'left out': leftOutAnswer([{ key: hostile, needs: [hostile] }]),
  'left out, many': leftOutAnswer(many.map((key) => ({ key, needs: many }))),
  'left out, long': leftOutAnswer(long.map((key) => ({ key, needs: long }))),
  'unlocked, long': unlockedAnswer({ released: long.map((key) => lock(key)), others: long.map((key) => lock(key)) }),
  unmatched: unmatchedComment(
    'apply',
    long.map((glob) => ({ glob, why: 'matches no stack' })),
    long,
  ),
  applied: appliedAnswer('a'.repeat(40)),
  'unlocked none': unlockedAnswer({ released: [], others: [] }),
  'unlocked none of those named': unlockedAnswer({ released: [], others: [], named: true }),
  unlocked: unlockedAnswer({ released: [lock(hostile, { takenAt: '2026-01-01T00:00:00Z' })], others: [] }),
  'unlocked, many': unlockedAnswer({ released: many.map((key) => lock(key)), others: many.map((key) => lock(key)) }),
  ...Object.fromEntries(
    (Object.keys(replanHindrances) as ReplanHindrance[]).map((name) => [name, replanRefusedAnswer(name)]),
  ),
}

for (const [name, text] of Object.entries(answers)) {
  t.test(`an answer says what to do next, and fits: ${name}`, async (t) => {
    t.match(text, /^### /)
    t.match(text, /\*\*Next:\*\* [^\s]/)
    t.ok(text.length + answerMarker(name).length < commentLimit)
    t.notOk(text.includes('<!--') || text.includes('\0'), 'foreign names are not markup')
  })
}

t.test(
  'an answer is found by what it answers, and is not mistaken for another or for the comment of the runs',
  async (t) => {
    t.equal(answerMarker('comment 12'), '<!-- svc:answer comment 12 -->')
    t.notOk(answerMarker('comment 123').startsWith(answerMarker('comment 12')))
    t.notOk(answerMarker('comment 12').startsWith(commentMarker))
  },
)

t.test('the answer to an unlock says which holder is in the way, and what may go wrong', async (t) => {
  const next = (unlocked: Parameters<typeof unlockedAnswer>[0]) => unlockedAnswer(unlocked).split('**Next:** ')[1]
  t.match(next({ released: [], others: [] }), /there is nothing to do/)
  t.match(next({ released: [], others: [lock('a', { prNumber: 12 }), lock('b', { prNumber: 3 })] }), /in #3, #12/)
  t.match(next({ released: [], others: [lock('a')] }), /a manual run releases its locks/)
  t.match(next({ released: [lock('a')], others: [] }), /svc plan/)
  t.match(next({ released: [lock('a'), lock('b', { unseen: true })], others: [] }), /force-unlock/)
  t.match(next({ released: [lock('a')], others: [], inFlight: 'run-1' }), /`run-1` is still in flight/)
})
