import t from 'tap'
import type { Lock } from '../../../ui/api/locks.ts'
import { lockSentence } from '../../../ui/locks/lock-words.ts'

const lock: Lock = {
  ...{ stack_id: 's', stack_key: 'data/database', repo: 'acme/infra', state: 'held.orphaned', fence: 3 },
  ...{ pr_number: 2, pr_state: 'closed', taken_at: '2026-11-22T12:41:00.000Z', waiting_total: 0 },
}
const waiting = [{ pr_number: 3, run_id: 'r' }]

const cases: [what: string, lock: Lock, sentence: string][] = [
  ['a closed pull request', lock, 'by #2 (closed) since 2026-11-22T12:41:00.000Z; nobody waits.'],
  ['one waits', { ...lock, waiting, waiting_total: 1 }, 'by #2 (closed) since 2026-11-22T12:41:00.000Z; #3 waits.'],
  [
    'a manual run',
    { stack_id: 's', stack_key: 'data/database', repo: 'acme/infra', state: 'held.manual', fence: 1, waiting_total: 0 },
    'by a run; nobody waits.',
  ],
]

for (const [what, given, end] of cases)
  t.test(what, async (t) => t.equal(lockSentence(given), `The lock on data/database in acme/infra is held ${end}`))
