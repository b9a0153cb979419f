import type { PullRequestHandle } from '#emulator/handles.ts'
import { playJob } from '#test/helpers/runner.ts'
import type { World } from '#test/helpers/world.ts'
import { planning, query, stack } from './scene.ts'

const policies = new WeakMap<World, string>()

/** Sets the default branch's svc.yml. */
export const policy = async (world: World, apply: object, more: object = {}): Promise<void> => {
  const text = JSON.stringify({ version: 1, apply: { approvals: 0, ...apply }, ...more })
  // a push costs a second of git on a busy machine
  if (policies.get(world) === text) return
  await pushPolicy(world, text)
}

/** The same with a text as it is, valid or not. */
export const pushPolicy = async (world: World, text: string): Promise<void> => {
  policies.set(world, text)
  await world.repository.push({ changes: { 'svc.yml': text } })
}

/** A pull request by ada whose stacks are planned with changes at its head. */
export const planned = async (world: World, keys: string[], edges: object[] = []) => {
  const scene = await planning(world, keys, edges)
  for (const key of keys) await scene.job.report(scene.id, key)
  await world.settled()
  return scene
}

/**
 * A new head of the pull request, with the same stacks, planned again. `verdict` is posted for the first stack before its
 * result.
 */
export const pushAndPlan = async (world: World, pull: PullRequestHandle, keys: string[], by?: string) => {
  await pull.push({ [`notes/${pull.headSha()}.md`]: 'more\n' }, by === undefined ? {} : { author: by })
  const job = playJob(world, pull)
  const id = String((await job.open()).body.run_id)
  await job.upload(id, { graph: { stacks: keys.map((key) => stack(key)) }, stacks: keys })
  for (const key of keys) await job.report(id, key)
  await world.settled()
  return { job, id }
}

/** The app's answers to a comment, without the hidden line. */
export const answersTo = (pull: PullRequestHandle, name: string): string[] => {
  const marker = `<!-- svc:answer ${name} -->\n`
  return pull.comments().flatMap(({ body }) => (body.startsWith(marker) ? [body.slice(marker.length)] : []))
}

/** A comment and everything that followed from it. */
export const comment = async (world: World, pull: PullRequestHandle, body: string, by = 'rob') => {
  const { id } = pull.comment(body, by)
  await world.settled()
  return { id, reactions: reactionsTo(pull, id), answers: answersTo(pull, `comment ${id}`) }
}

export const reactionsTo = (pull: PullRequestHandle, id: number): string[] =>
  pull
    .reactions(id)
    .map(({ content }) => content)
    .sort()

/** `applying: app db` of each run of a pull request of this mode and trigger, oldest first. */
export const runsOf = async (world: World, pull: PullRequestHandle, mode: string, trigger = 'comment') => {
  const rows = await query(
    world,
    `select r.id, r.status, r.requested_by, string_agg(s.key, ' ' order by s.wave, s.key) as keys
     from runs r left join run_stacks s on s.run_id = r.id
     where r.pr_number = ${pull.number} and r.mode = '${mode}' and r.trigger = '${trigger}'
     group by r.installation_id, r.id order by r.created_at`,
  )
  return rows.map((row) => `${row.status}: ${row.keys}`)
}

export const newestRun = async (world: World, pull: PullRequestHandle, mode: string): Promise<string> => {
  const [run] = await query(
    world,
    `select id from runs where pr_number = ${pull.number} and mode = '${mode}' order by created_at desc limit 1`,
  )
  return run?.id
}

/** `command rob apply app` of each entry about comments on a pull request, oldest first. */
export const commandAudits = async (world: World, pull: PullRequestHandle): Promise<string[]> => {
  const rows = await query(
    world,
    `select action, actor, details->>'verb' as verb, details->'keys' as keys, target, details->>'repo' as repo
     from audit where action like 'command%' and (details->>'pr')::int = ${pull.number} order by id`,
  )
  return rows.map(({ action, actor, verb, keys }) => [action, actor, verb, ...keys].join(' '))
}
