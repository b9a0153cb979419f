import t from 'tap'
import { stackStatuses } from '#domain/run-status.ts'
import {
  furthestBehind,
  gravity,
  standingLook,
  standingOf,
  standings,
} from '../../../../ui/repository/stacks/standing.ts'

type Status = (typeof stackStatuses)[number]

const ref = (status: Status | undefined, at = '2026-11-23T10:00:00Z') =>
  status === undefined ? undefined : { run_id: 'r', sha: 's', status, finished_at: at }
const drift = (drifted: boolean) => ({ run_id: 'r', checked_at: '2026-11-23T10:00:00Z', drifted })

t.test('a stack stands as the gravest of its last apply, its last plan and its drift says', async (t) => {
  const cases: [apply: Status | undefined, plan: Status | undefined, drifted: boolean | undefined, standing: string][] =
    [
      [undefined, undefined, undefined, 'new'],
      ['failed', 'noop', undefined, 'failed'],
      ['applied', 'failed', undefined, 'failed'],
      ['applied', 'planned', undefined, 'planned'],
      ['applied', 'noop', false, 'applied'],
      ['applied', 'noop', true, 'drifted'],
      ['unknown', 'planned', true, 'unknown'],
      [undefined, undefined, true, 'drifted'],
    ]
  for (const [apply, plan, drifted, standing] of cases) {
    const stack = {
      last_apply: ref(apply),
      last_plan: ref(plan, '2026-11-23T11:00:00Z'),
      drift: drifted === undefined ? undefined : drift(drifted),
    }
    t.equal(standingOf(stack), standing, `${apply} ${plan} ${drifted}`)
  }
})

t.test('a plan that came before the apply no longer counts', async (t) => {
  const before = ref('planned', '2026-11-23T09:00:00Z')
  t.equal(standingOf({ last_apply: ref('applied'), last_plan: before }), 'applied')
  t.equal(standingOf({ last_apply: ref('failed'), last_plan: before }), 'failed')
  t.equal(standingOf({ last_plan: before }), 'planned')
})

t.test('every status has its place, and all but none have a look', async (t) => {
  t.same(standings.toSorted(), [...stackStatuses, 'drifted', 'new'].toSorted())
  t.same(
    standings.filter((standing) => standingLook(standing) === undefined),
    ['new'],
  )
  t.ok(gravity('failed') < gravity('drifted') && gravity('drifted') < gravity('planned'))
})

t.test('how far behind its modules are is said by the furthest', async (t) => {
  t.equal(furthestBehind({}), undefined)
  t.equal(furthestBehind({ modules: [{ module_key: 'a', behind: 0 }, { module_key: 'b' }] }), undefined)
  t.equal(
    furthestBehind({
      modules: [
        { module_key: 'a', behind: 2 },
        { module_key: 'b', behind: 7 },
      ],
    }),
    7,
  )
})
