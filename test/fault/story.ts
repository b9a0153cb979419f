import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { sql } from '#db/sql.ts'
import type { PullRequestHandle } from '#emulator/handles.ts'
import { type Answer, type PlayedJob, playJob } from '#test/helpers/runner.ts'
import { brokenStandings } from '#test/scenes/standings.ts'
import { brokenInvariants } from './invariants.ts'
import type { Place } from './place.ts'

const stacks = ['network', 'cluster', 'app'].map((key) => ({ key, path: key }))
const dependsOn = (from: string, to: string) => ({
  from: { kind: 'stack', key: from },
  to: { kind: 'stack', key: to },
  type: 'depends_on',
})
const graph = { stacks, edges: [dependsOn('cluster', 'network'), dependsOn('app', 'cluster')] }
const policy = { status: 'pass', summary: 'all rules hold' }

/** Each has content of its own. Without a kill it may take less than a second, and the next would have the same commit, and its check runs. */
let stories = 0

/** What is left of a story when it is over: the pull request and its two heads. */
type Told = { pull: PullRequestHandle; shas: string[] }

/**
 * A pull request is planned, its second push supersedes the first run half way, and the second run is planned in full. Its
 * jobs send unanswered requests again. Rejects if their answers differ from those without a crash.
 */
const playStory = async (place: Place): Promise<Told> => {
  stories += 1
  const pull = await place.github.openPullRequest({
    repo: place.repository.fullName,
    branch: `story-${stories}`,
    title: 'Wider network',
    author: 'ada',
    changes: { 'network/main.tf': `# wider, ${stories}\n` },
  })
  const first = playJob(place, pull, { retries: true })
  const old = pull.headSha()
  const firstRun = await planning(first)
  answered(await first.report(firstRun, 'network'), 200, { status: 'planned' })

  await pull.push({ 'network/main.tf': `# wider still, ${stories}\n` })
  const second = playJob(place, pull, { retries: true })
  const secondRun = await planning(second)
  answered(await first.report(firstRun, 'cluster'), 409, { code: 'superseded' })
  for (const key of ['network', 'cluster']) answered(await second.report(secondRun, key), 200, { status: 'planned' })
  const unchanged = { exit_code: 0, has_changes: false, summary: undefined }
  answered(await second.report(secondRun, 'app', unchanged), 200, { status: 'noop' })
  return { pull, shas: [old, pull.headSha()] }
}

const planning = async (job: PlayedJob): Promise<string> => {
  const opened = await job.open()
  const id: string = opened.body.run_id
  if (opened.status !== 201) answered(opened, 200, { existing: true })
  const resolved = await job.upload(id, { graph, changed_paths: ['network/main.tf'] })
  answered(resolved, 200, { run_id: id, waves: [['network'], ['cluster'], ['app']] })
  answered(await job.post(`/v1/runs/${id}/stacks/network/checks/policy`, policy), 200, policy)
  return id
}

const answered = ({ status, body }: Answer, wanted: number, fields: Record<string, unknown>): void => {
  const told = Object.fromEntries(Object.keys(fields).map((key) => [key, body?.[key]]))
  if (status === wanted && isDeepStrictEqual(told, fields)) return
  throw new Error(`answered ${status} ${JSON.stringify(body)} instead of ${wanted} ${JSON.stringify(fields)}`)
}

/** How a story ended, in the same words for each: what the database holds and what people see on GitHub. */
export type Ending = {
  runs: readonly unknown[]
  checks: readonly unknown[]
  comments: readonly string[]
  left: readonly unknown[]
}

const endingOf = async ({ pool }: Place, { pull, shas }: Told): Promise<Ending> => {
  const runs = await pool.any(sql.type(RunRow)`
    select r.id, r.sha, r.status, r.waves, r.current_wave, r.finished_at is not null as finished,
      (select jsonb_object_agg(s.key, jsonb_build_object('status', s.status, 'wave', s.wave, 'result', (
          select jsonb_build_object('body', t.body::jsonb - 'workflow_run_id', 'text', t.plan_text) from results t
          where t.run_id = s.run_id and t.stack_id = s.stack_id)))
        from run_stacks s where s.run_id = r.id) as stacks,
      (select jsonb_agg(jsonb_build_array(c.name, c.status, c.summary)) from checks c where c.run_id = r.id) as checks
    from runs r where r.pr_number = ${pull.number} order by r.created_at, r.id`)
  const left = await pool.any(
    sql.unsafe`select kind, state, last_error from jobs where state not in ('done', 'ignored')`,
  )
  const plain = plainText(
    pull,
    shas,
    runs.map((run) => run.id),
  )
  const checks = shas.flatMap((sha) => pull.checkRuns(sha).map(shownOf)).map(plain)
  return {
    runs: plain(runs),
    checks: checks.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    comments: plain(pull.comments().map((comment) => comment.body)),
    left,
  }
}

type ShownCheck = ReturnType<PullRequestHandle['checkRuns']>[number]

const shownOf = ({ headSha, name, externalId, status, conclusion, detailsUrl, title, summary, text }: ShownCheck) => ({
  headSha,
  name,
  externalId,
  status,
  conclusion,
  detailsUrl,
  title,
  summary,
  text,
})

const RunRow = z.looseObject({ id: z.string() })

/** Ids and numbers differ from story to story: they are replaced by the name of the thing they belong to. */
const plainText = (pull: PullRequestHandle, shas: string[], runIds: string[]) => {
  const names = new Map([
    ...runIds.map((id, index) => [id, `run ${index + 1}`] as const),
    ...shas.map((sha, index) => [sha, `commit ${index + 1}`] as const),
    ...shas.map((sha, index) => [sha.slice(0, 7), `commit ${index + 1}`] as const),
    [`pull/${pull.number}`, 'pull/N'] as const,
  ])
  return <T>(value: T): T => {
    let plain = JSON.stringify(value)
    for (const [id, name] of names) plain = plain.replaceAll(id, name)
    return JSON.parse(plain) as T
  }
}

/** Where the service is killed: at that step of its start, or of the story. */
export type Kill = { in: 'start' | 'story'; step: number }

export type Played = {
  /** The step at which the service was killed; undefined: the story was over before. */
  killedAt: string | undefined
  ending: Ending
  broken: string[]
}

/** Plays the story, with the service killed during it, and checks how it ended. */
export const playAndLook = async (place: Place, kill?: Kill): Promise<Played> => {
  const { service } = place
  if (kill?.in === 'start') {
    await service.end()
    service.start(kill.step)
  }
  await service.up()
  if (kill?.in === 'story') await service.killIn(kill.step)
  const told = await playStory(place)
  await place.settled()
  // a service started again meanwhile first handles what it finds
  await service.up()
  await place.settled()
  const ending = await endingOf(place, told)
  const broken = [...(await brokenInvariants(place.pool, told.pull.number)), ...(await brokenStandings(place.pool))]
  return { killedAt: kill && service.killedAt(), ending, broken }
}

/** How many steps the service takes to start, and for the story, and how that ends. */
export const playWhole = async (place: Place): Promise<{ steps: Record<Kill['in'], number>; ending: Ending }> => {
  const { service } = place
  await service.end()
  service.start()
  await service.up()
  await place.settled()
  const start = await service.steps()
  const { ending, broken } = await playAndLook(place)
  if (broken.length > 0) throw new Error(`without a crash: ${broken.join(', ')}`)
  return { steps: { start, story: (await service.steps()) - start }, ending }
}
