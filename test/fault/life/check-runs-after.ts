import { query } from '#test/scenes/scene.ts'
import type { Life, Told } from './life.ts'
import { nameOf } from './story.ts'

/** The check run for each status, written down a second time: the service's check runs are held against it. */
const conclusions: Record<string, string> = {
  ...{ planned: 'success', applied: 'success', noop: 'success', failed: 'failure', unknown: 'action_required' },
  ...{ unconfirmed: 'action_required', blocked: 'cancelled', skipped: 'cancelled', superseded: 'cancelled' },
}

/** Where the check runs of the pull requests' heads differ from those that the tables require, one of each name. */
export const brokenCheckRuns = async (life: Life): Promise<string[]> => {
  const broken = await Promise.all(life.told.map((told) => brokenOf(told)))
  return broken.flat()
}

const brokenOf = async (told: Told): Promise<string[]> => {
  const { world, pull, heads } = told
  const ofPull = `r.repo_id = ${world.repository.id} and r.pr_number = ${pull.number}`
  const runs = await query(world, `select id, sha, mode, status, graph_id from runs r where ${ofPull}`)
  const stacks = await query(
    world,
    `select r.sha, r.mode, s.key, s.status from run_stacks s join runs r on r.id = s.run_id where ${ofPull}`,
  )
  const checks = await query(
    world,
    `select r.sha, s.key, c.name from checks c join runs r on r.id = c.run_id
     join run_stacks s on s.run_id = c.run_id and s.stack_id = c.stack_id where ${ofPull}`,
  )
  return heads.flatMap((sha) => {
    const at = <R extends { sha?: string }>(rows: readonly R[]) => rows.filter((row) => row.sha === sha)
    const wanted = [
      ...at(runs).map(({ mode, status }) => `svc/${mode} ${conclusions[status]}`),
      // here a plan is superseded after it was resolved
      ...at(runs)
        .filter(({ mode }) => mode === 'plan')
        .map(() => 'svc/resolve success'),
      ...at(stacks).map(({ mode, key, status }) => `svc/${mode}: ${key} ${conclusions[status]}`),
      ...at(checks).map(({ key, name }) => `svc/${name}: ${key} success`),
    ].sort()
    const shown = pull
      .checkRuns(sha)
      .map(({ name, conclusion }) => `${name} ${conclusion}`)
      .sort()
    const missing = wanted.filter((line) => !shown.includes(line))
    const odd = shown.filter((line, index) => !wanted.includes(line) || shown.indexOf(line) !== index)
    return [
      ...missing.map((line) => `${nameOf(told)} at ${sha}: there is no ${line}`),
      ...odd.map((line) => `${nameOf(told)} at ${sha}: there is ${line}, or twice`),
    ]
  })
}
