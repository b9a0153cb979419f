import { newestRun } from '#test/scenes/commenting.ts'
import { driftRun } from '#test/scenes/drifting.ts'
import { query } from '#test/scenes/scene.ts'
import type { Place } from '../browser.ts'
import { tellDrift } from '../drift/who-drifted.ts'
import { tellWhoIsBehind } from '../module/who-is-behind.ts'
import { applyStorefront, planAnother } from '../run/storefront.ts'
import { planSummary, planText } from '../run-stack/a-plan.ts'

export type Story = {
  applyId: string
  planId: string
  /** The plan of another pull request, over a stack that the apply has changed and locked. */
  waitingPlanId: string
  dispatchId: string
  databaseId: string
  pull: number
  moduleId: string
}

/** What the pictures show: an apply in trouble, the plan that it came from, and a pull request that waits for one of its locks. */
export const tellStory = async (place: Place): Promise<Story> => {
  // the default branch has stacks once something is merged
  const merged = await planAnother(place, 'platform/dns')
  await merged.merge()
  await place.settled()
  for (const outcome of ['none', 'none', 'changes', 'failed', 'none'] as const)
    await driftRun(place, 'data/database', outcome)
  await tellDrift(place)
  const { applyId, planId, pull } = await applyStorefront(place)
  const other = await planAnother(place, 'data/database', { summary: planSummary, plan_text: planText })
  const waitingPlanId = await newestRun(place, other, 'plan')
  const moduleId = await tellWhoIsBehind(place)
  await query(
    place,
    `insert into jobs (queue, kind, key, payload, state, attempt, last_error, finished_at)
     values ('jobs', 'sync_installations', 'all', '{}', 'dead', 12, 'the code host answered 503: upstream timed out', now()),
       ('events', 'pull_request', null, '{}', 'dead', 12, 'no repository acme/sandbox', now() - interval '2 hours')`,
  )
  const [dispatch] = await query(place, `select id from dispatches where run_id = '${applyId}' and wave = 1`)
  const [database] = await query(place, `select id from stacks where key = 'data/database'`)
  return {
    ...{ applyId, planId, waitingPlanId, pull: pull.number, moduleId },
    ...{ dispatchId: String(dispatch?.id), databaseId: String(database?.id) },
  }
}
