import { until } from '#test/helpers/until.ts'
import { disagreements, query } from '#test/scenes/scene.ts'
import { brokenStandings } from '#test/scenes/standings.ts'
import { doubleDispatches, doubleHolders, unanswered } from '../crowd-of-applies.ts'
import { brokenInvariants } from '../invariants.ts'
import { brokenCheckRuns } from './check-runs-after.ts'
import type { Life, Told } from './life.ts'
import { unreadReplica } from './replica.ts'
import { answersTo, nameOf } from './story.ts'

export type AftermathFigures = {
  pullRequests: number
  merged: number
  closed: number
  results: number
  commands: number
  dispatches: number
  /** Applies that an API key began, and ended. */
  manualRuns: number
  checkRuns: number
  deliveries: number
  /** Webhooks that were sent again because they had not arrived. */
  redelivered: number
  journalRows: number
}

export type Aftermath = { broken: string[]; figures: AftermathFigures }

/**
 * Compares the tables, the journal and the code host's own record at the end: nothing may be lost or done twice. `broken`
 * lists what does not agree.
 */
export const aftermath = async (life: Life): Promise<Aftermath> => {
  const [world] = life.worlds
  if (!world) throw new Error('there is no repository')
  const numbers = [...new Set(life.told.map(({ pull }) => pull.number))]
  const found: string[][] = [
    await brokenPlans(life),
    await lostResults(life),
    await strayDispatches(life),
    life.worlds.flatMap(doubleDispatches),
    await doubleHolders(world),
    await heldLocks(life),
    await unanswered(world, life.told),
    await doubleAnswers(life),
    await brokenCheckRuns(life),
    await lostDeliveries(life),
    await leftJobs(life),
    await leftTimers(life),
    await doubleAudits(life),
    (await disagreements(world)).map((row) => JSON.stringify(row)),
    await brokenStandings(life.pool),
    await unreadReplica(life),
  ]
  for (const number of numbers) found.push(await brokenInvariants(life.pool, number))
  return { broken: found.flat(), figures: await figuresOf(life) }
}

const rowsOf = (life: Life, text: string) => {
  const [world] = life.worlds
  if (!world) throw new Error('there is no repository')
  return query(world, text)
}

/** Each head was planned once, and only the last plan still counts. */
const brokenPlans = async (life: Life): Promise<string[]> => {
  const rows = await rowsOf(life, `select repo_id, pr_number, sha, status from runs where mode = 'plan'`)
  return life.told.flatMap((told) => {
    const own = rows.filter((row) => row.repo_id === told.world.repository.id && row.pr_number === told.pull.number)
    return told.heads.flatMap((sha) => {
      const live = own.filter((row) => row.sha === sha && row.status !== 'superseded').length
      const wanted = sha === told.pull.headSha() ? 1 : 0
      return live === wanted ? [] : [`${nameOf(told)} has ${live} live plans of ${sha}, in the place of ${wanted}`]
    })
  })
}

/** A result that a runner got a 2xx for is recorded, and unchanged. */
const lostResults = async (life: Life): Promise<string[]> => {
  const rows = await rowsOf(
    life,
    `select s.run_id, s.key, s.status, (t.body->>'duration_ms')::int as duration from run_stacks s
     left join results t on t.run_id = s.run_id and t.stack_id = s.stack_id`,
  )
  const stored = new Map(rows.map((row) => [`${row.run_id} ${row.key}`, row]))
  return life.reported.flatMap(({ runId, key, status, durationMs }) => {
    const row = stored.get(`${runId} ${key}`)
    if (row?.status === status && row.duration === durationMs) return []
    return [
      `${key} of run ${runId}: ${status} (${durationMs}) was reported, ${row?.status} (${row?.duration}) is stored`,
    ]
  })
}

/** Each workflow run that the app started belongs to one dispatch, and each dispatch has one. */
const strayDispatches = async (life: Life): Promise<string[]> => {
  const rows = await rowsOf(life, 'select id, run_id, wave, part, state, workflow_run_id from dispatches')
  const runs = life.worlds.flatMap(({ repository }) =>
    repository.workflowRuns().filter((run) => run.now().event === 'workflow_dispatch'),
  )
  const started = life.github.requests.filter(
    ({ method, route, status }) => method === 'POST' && route.endsWith('/dispatches') && status < 300,
  )
  const ofRun = (id: number) => rows.filter((row) => row.workflow_run_id === id)
  const known = new Set(runs.map(({ id }) => id))
  return [
    ...runs
      .filter(({ id }) => ofRun(id).length !== 1)
      .map(({ id }) => `workflow run ${id} is of ${ofRun(id).length} dispatches`),
    ...rows
      .filter((row) => row.state !== 'completed' || !known.has(row.workflow_run_id))
      .map((row) => `dispatch ${row.wave}.${row.part} of run ${row.run_id} is ${row.state} (${row.workflow_run_id})`),
    ...(started.length === runs.length ? [] : [`${started.length} requests started ${runs.length} workflow runs`]),
  ]
}

/** All pull requests are merged, or closed and unlocked. */
const heldLocks = async (life: Life): Promise<string[]> => {
  const rows = await rowsOf(
    life,
    `select s.key, l.state, l.pr_number, (
       select string_agg(coalesce(j.event->>'type', '?') || ' by ' || j.actor || ' → ' || j.state_to, ', ' order by seq)
       from lock_journal j where j.stack_id = l.stack_id) as story
     from locks l join stacks s on s.id = l.stack_id where l.state <> 'free'`,
  )
  return rows.map(
    ({ key, state, pr_number, story }) => `the lock of ${key} is still ${state} by #${pr_number}: ${story}`,
  )
}

const doubleAnswers = async (life: Life): Promise<string[]> => {
  const applies = await rowsOf(life, `select repo_id, pr_number from runs where mode = 'apply'`)
  return life.told.flatMap((told) => {
    const { pull, world, commands } = told
    const rockets = (id: number) => pull.reactions(id).filter(({ content }) => content === 'rocket').length
    const answers = commands.map((id) => ({ id, count: answersTo(pull, id).length + rockets(id) }))
    const begun = commands.filter((id) => rockets(id) > 0).length
    const runs = applies.filter((row) => row.repo_id === world.repository.id && row.pr_number === pull.number).length
    const bodies = pull.comments().map(({ body }) => body.split('\n')[0])
    const doubled = bodies.filter((line, index) => line?.startsWith('<!-- svc:') && bodies.indexOf(line) !== index)
    return [
      ...answers
        .filter(({ count }) => count !== 1)
        .map(({ id, count }) => `${nameOf(told)}: command ${id} has ${count} answers`),
      ...(begun === runs ? [] : [`${nameOf(told)}: ${begun} commands began ${runs} applies`]),
      ...doubled.map((line) => `${nameOf(told)}: the comment ${line} is there twice`),
    ]
  })
}

/** Every webhook of the code host, sent once or again, is in the queue's table. */
const lostDeliveries = async (life: Life): Promise<string[]> => {
  const rows = await rowsOf(life, 'select delivery_id, state from jobs where delivery_id is not null')
  const known = new Set(rows.map((row) => row.delivery_id))
  const lost = life.github.deliveries().filter(({ guid }) => !known.has(guid))
  return lost.map(({ guid, event, action }) => `the delivery ${guid} (${event}.${action}) was lost`)
}

/** A command is in the audit log once, and so is the release of each lock that it released. */
const doubleAudits = async (life: Life): Promise<string[]> => {
  const rows = await rowsOf(
    life,
    `select action, target, details->>'comment_id' as comment, details->>'run_id' as run, count(*)::int as count
     from audit where action in ('command', 'unlock') group by 1, 2, 3, 4`,
  )
  const asked = life.told.flatMap(({ commands }) => commands)
  const audited = rows.flatMap(({ comment }) => (comment === null ? [] : [Number(comment)]))
  return [
    ...rows.filter(({ count }) => count > 1).map((row) => `audited more than once: ${JSON.stringify(row)}`),
    ...asked.filter((id) => !audited.includes(id)).map((id) => `command ${id} is not in the audit log`),
  ]
}

/** No held lock awaits a reminder, and no dispatch waits. */
const leftTimers = async (life: Life): Promise<string[]> => {
  const rows = await rowsOf(life, 'select kind, id, name from timers')
  return rows.map((row) => `a timer is left: ${JSON.stringify(row)}`)
}

/** The clock brings some each minute: what it has just begun ends by itself, and is left only if it does not. */
const endsWithinMs = 5000

const leftJobs = async (life: Life): Promise<string[]> => {
  const late = performance.now() + endsWithinMs
  let rows: Awaited<ReturnType<typeof rowsOf>> = []
  await until(async () => {
    rows = await rowsOf(
      life,
      `select kind, state, attempt, last_error from jobs where state not in ('done', 'ignored')`,
    )
    return rows.every(({ state }) => state === 'dead') || performance.now() > late
  })
  return rows.map((row) => `left in the queue: ${JSON.stringify(row)}`)
}

const figuresOf = async (life: Life): Promise<AftermathFigures> => {
  const ended = (end: Told['end']) => life.told.filter((told) => told.end === end).length
  const [journal] = await rowsOf(
    life,
    'select ((select count(*) from journal) + (select count(*) from lock_journal))::int as count',
  )
  const [dispatches] = await rowsOf(life, 'select count(*)::int as count from dispatches')
  const [manual] = await rowsOf(
    life,
    `select count(*)::int as count from runs where trigger = 'manual' and status = 'applied'`,
  )
  const deliveries = life.github.deliveries()
  return {
    pullRequests: life.told.length,
    merged: ended('merged'),
    closed: ended('closed'),
    results: life.reported.length,
    commands: life.told.flatMap(({ commands }) => commands).length,
    dispatches: dispatches?.count ?? 0,
    manualRuns: manual?.count ?? 0,
    checkRuns: life.told.flatMap(({ pull, heads }) => heads.flatMap((sha) => pull.checkRuns(sha))).length,
    deliveries: new Set(deliveries.map(({ guid }) => guid)).size,
    redelivered: deliveries.filter(({ redelivery }) => redelivery).length,
    journalRows: journal?.count ?? 0,
  }
}
