import type { Locator, Page } from 'playwright-core'
import type { PullRequestHandle } from '#emulator/handles.ts'
import { playJob } from '#test/helpers/runner.ts'
import type { World } from '#test/helpers/world.ts'
import { lose } from '#test/scenes/applying.ts'
import { comment, newestRun } from '#test/scenes/commenting.ts'
import { dispatched, dispatchedJob } from '#test/scenes/dispatched.ts'
import { dependsOn, openPull, stack } from '#test/scenes/scene.ts'

/*
 * A pull request over twelve stacks in three waves, with a module and states that are read, and its apply, in which one stack failed,
 * one was lost, and one is still going on.
 */

const keys = {
  first: ['observability/metrics', 'platform/dns', 'platform/identity', 'platform/network'],
  second: ['data/cache', 'data/database', 'platform/cluster', 'platform/registry'],
  third: ['apps/storefront/production', 'apps/storefront/staging', 'apps/worker', 'observability/alerts'],
}

const all = [...keys.first, ...keys.second, ...keys.third]

const readsState = (from: string, to: string) => ({
  from: { kind: 'stack', key: from },
  to: { kind: 'stack', key: to },
  type: 'reads_state',
  inferred: true,
  meta: { bucket: 'acme-state', key: `${to}/terraform.tfstate` },
})

const usesModule = (from: string) => ({
  from: { kind: 'stack', key: from },
  to: { kind: 'module', key: 'modules/zone' },
  type: 'uses_module',
})

const edges = [
  usesModule('platform/dns'),
  usesModule('platform/identity'),
  readsState('data/database', 'platform/network'),
  readsState('data/cache', 'platform/network'),
  dependsOn('platform/cluster', 'platform/network'),
  dependsOn('platform/registry', 'platform/identity'),
  dependsOn('apps/storefront/production', 'data/database'),
  readsState('apps/storefront/staging', 'data/database'),
  readsState('apps/worker', 'data/cache'),
  dependsOn('observability/alerts', 'platform/cluster'),
]

const changed = ['platform/network', 'data/database', 'platform/registry', 'platform/cluster', 'observability/metrics']

const graph = {
  stacks: all.map((key) =>
    stack(key, { environment: key.startsWith('apps') ? 'production' : undefined, tags: [key.split('/')[0]] }),
  ),
  modules: [{ key: 'modules/zone', kind: 'local', path: 'modules/zone' }],
  edges,
}

/** What the plan of the database says; the others have less to do. */
const databasePlan = {
  summary: {
    ...{ adds: 1, changes: 2, destroys: 0, replaces: 1 },
    added: ['aws_db_parameter_group.pg16'],
    changed: ['aws_security_group_rule.app[0]', 'aws_security_group_rule.app[1]'],
    replaced: ['aws_db_instance.main'],
  },
  plan_text: 'Plan: 2 to add, 2 to change, 1 to destroy.\n'.repeat(40),
}

const otherPlan = {
  summary: { adds: 0, changes: 2, destroys: 0, replaces: 0, changed: ['aws_thing.a', 'aws_thing.b'] },
}

/** Of the default branch: an apply needs nobody's approval. */
export const policy = 'version: 1\napply:\n  approvals: 0\n'

/** The plan alone: every stack with changes but one, which has none. */
const planStorefront = async (world: World) => {
  const pull = await openPull(world, Object.fromEntries(changed.map((key) => [`${key}/main.tf`, '# changed\n'])))
  const job = playJob(world, pull)
  const planId = String((await job.open()).body.run_id)
  const paths = [...changed.map((key) => `${key}/main.tf`), 'modules/zone/main.tf']
  const resolved = await job.upload(planId, { graph, changed_paths: paths })
  if (resolved.status !== 200) throw new Error(JSON.stringify(resolved.body))
  const jobUrl = (at: number) => `https://codehost.example/acme/infra/actions/runs/9000/job/${3_000_000_000 + at}`
  for (const [at, key] of all.entries()) {
    const plan = key === 'data/database' ? databasePlan : otherPlan
    await job.report(planId, key, { ...plan, job_url: jobUrl(at) })
  }
  await world.settled()
  return { pull, job, planId, jobUrl }
}

const failure = {
  ...{ status: 'failure', exit_code: 1 },
  error_text:
    'Error: creating RDS DB Instance (storefront-16): StorageQuotaExceeded: 100 GiB left of the account’s quota',
}

/** The apply, asked for in a comment: its first wave is done, its second is draining. */
export const applyStorefront = async (world: World) => {
  const plan = await planStorefront(world)
  world.repository.setPermission('grace', 'write')
  const said = await comment(world, plan.pull, 'svc apply', 'grace')
  const applyId = await newestRun(world, plan.pull, 'apply')
  if (applyId === undefined) throw new Error(JSON.stringify(said))
  const reportWave = async (wave: string, reported: string[]) => {
    const run = await dispatched(world, applyId, wave)
    const played = run.play()
    const job = dispatchedJob(world, played, 'default')
    await job.join(applyId)
    for (const key of reported) {
      const isNoop = key === 'platform/identity'
      const result = key === 'data/database' ? { ...databasePlan, ...failure } : { ...otherPlan, has_changes: !isNoop }
      const answer = await job.report(applyId, key, { ...result, job_url: plan.jobUrl(all.indexOf(key) + 100) })
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    }
    await world.settled()
    return { job, played }
  }
  await reportWave('0', keys.first)
  const second = await reportWave('1', ['data/cache', 'data/database'])
  await lose(world, applyId, 'platform/registry')
  await world.settled()
  return { ...plan, applyId, second }
}

/** Another pull request, whose plan has a stack that the apply has locked. */
export const planAnother = async (
  world: World,
  key: string,
  plan: object = databasePlan,
): Promise<PullRequestHandle> => {
  const pull = await openPull(world, { [`${key}/other.tf`]: '# changed\n' })
  const job = playJob(world, pull)
  const id = String((await job.open()).body.run_id)
  await job.upload(id, { graph, changed_paths: [`${key}/other.tf`], stacks: [key] })
  await job.report(id, key, plan)
  await world.settled()
  return pull
}

/** A stack on the board. */
export const card = (page: Page, key: string): Locator => page.locator(`[data-stack="${key}"]`)
