import t from 'tap'
import { lockOrder } from './lock-order.ts'

/** Statements of one transaction, and the ids of the rows that they lock. */
type Step =
  | 'jobs'
  | 'standings'
  | `new run ${string}`
  | { runs: string }
  | { locks: string }
  | 'repository'
  | 'a deadlock'

const play = (steps: readonly Step[]): string[] => {
  const problems: string[] = []
  const seam = lockOrder((problem) => problems.push(problem.split('\n')[0] ?? ''))
  for (const step of steps) {
    if (step === 'a deadlock') seam('before select 1', [], { transaction: '1' })
    if (step === 'a deadlock') continue
    const { text, values = [], rows = [] } = statementOf(step)
    seam(`before ${text}`, values, { transaction: '1' })
    seam(`after ${text}`, values, { transaction: '1', rows })
  }
  return problems
}

const statementOf = (
  step: Exclude<Step, 'a deadlock'>,
): { text: string; values?: unknown[]; rows?: Record<string, unknown>[] } => {
  if (step === 'jobs') return { text: 'insert into jobs (kind)' }
  if (step === 'standings') return { text: 'with x as (insert into stack_standings as n (stack_id))' }
  if (step === 'repository')
    return { text: 'select id from repositories where id = $1 for no key update', rows: [{ id: 7 }] }
  if (typeof step === 'string') return { text: 'insert into runs (id)', values: [step.slice(-1)] }
  if ('runs' in step)
    return { text: 'select r.id from runs r for no key update', rows: [...step.runs].map((id) => ({ id })) }
  return {
    text: 'select l.stack_id from locks l order by l.stack_id for no key update of l',
    rows: [...step.locks].map((id) => ({ stack_id: id })),
  }
}

t.test('runs, then locks, then what is stored', async (t) => {
  t.same(play([{ runs: 'ab' }, { runs: 'c' }, { locks: 'ab' }, { locks: 'c' }, 'standings', 'jobs']), [])
  t.same(
    play([{ runs: 'a' }, { locks: 'ab' }, 'jobs', { locks: 'ba' }, { runs: 'a' }]),
    [],
    'the same ones again are free',
  )
  t.same(
    play([{ runs: 'a' }, { locks: 'a' }, 'jobs', 'repository', 'standings']),
    [],
    "and the repository's row before standings",
  )
  t.same(
    play([{ locks: 'b' }, 'jobs', 'a deadlock', { runs: 'a' }, { locks: 'a' }]),
    [],
    'what was rolled back does not count',
  )
  t.same(play(['jobs', 'new run a', { runs: 'a' }]), [], "one's own new run is nobody else's yet")
})

for (const [steps, problem] of [
  [[{ runs: 'b' }, { runs: 'a' }], 'runs a after b'],
  [[{ locks: 'b' }, { locks: 'ac' }], 'locks a,c after b'],
  [[{ locks: 'a' }, { runs: 'a' }], 'runs a after locks a'],
  [['jobs', { locks: 'a' }], 'locks a after this was stored: before insert into jobs (kind)'],
  [
    ['standings', 'repository'],
    'repository 7 after this was stored: before with x as (insert into stack_standings as n (stack_id))',
  ],
  [
    ['standings', { runs: 'a' }],
    'runs a after this was stored: before with x as (insert into stack_standings as n (stack_id))',
  ],
] as const)
  t.test(problem, async (t) => {
    t.same(play(steps), [`out of the order of locks: ${problem}`])
  })
