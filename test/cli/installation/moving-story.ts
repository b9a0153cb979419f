import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, gzipSync } from 'node:zlib'
import type { Test } from 'tap'
import { z } from 'zod'
import { exportInstallation } from '#cli/installation/export.ts'
import { importInstallation } from '#cli/installation/import.ts'
import { isMoved, movedTableNames, type TableName } from '#db/moving/moved-tables.ts'
import { installationsNamed } from '#db/moving/moving-installation.ts'
import { createPool } from '#db/pool.ts'
import { type Pool, sql } from '#db/sql.ts'
import { archived, archivedStory } from '#test/commands/history/archived-story.ts'
import { testDatabase } from '#test/helpers/database.ts'
import { testLog as log, startInstance } from '#test/helpers/instance.ts'
import { settled, type World } from '#test/helpers/world.ts'
import { comment, newestRun, planned, policy } from '#test/scenes/commenting.ts'
import { dispatched, dispatchedJob } from '#test/scenes/dispatched.ts'
import { driftRun } from '#test/scenes/drifting.ts'
import { git, use } from '#test/scenes/modules-in-use.ts'
import { planning, query, stack } from '#test/scenes/scene.ts'

/**
 * A repository with a past: a month in the bucket, runs of the same month in the tables, modules in use, a stack that drifted, an applied
 * pull request that holds its lock, and one that is planned and open.
 */
export const livedIn = async (t: Test) => {
  const story = await archivedStory(t)
  const { world } = story
  while (await archived(story));
  world.repository.setPermission('rob', 'write')
  await policy(world, {})
  await mergeModules(world)
  await driftRun(world, 'a', 'changes')
  const done = await planned(world, ['b'])
  await comment(world, done.pull, 'svc apply')
  const applyId = await newestRun(world, done.pull, 'apply')
  const played = (await dispatched(world, applyId)).play()
  await dispatchedJob(world, played, 'default').report(applyId, 'b')
  played.complete('success')
  await world.settled()
  const open = await planning(world, ['d'])
  await open.job.post(`${open.stackPath('d')}/checks/cost`, { status: 'warn', summary: 'dear' })
  await open.job.report(open.id, 'd')
  await world.settled()
  for (const statement of rare) await query(world, `${statement} returning 1`)
  return { ...story, open, done }
}

const ofRepository = `from repositories r cross join lateral (select id from stacks where repo_id = r.id order by key limit 1) s`

/** Rows that the story has no part in, so that none of the tables is empty. */
const rare = [
  `insert into content_writes (installation_id, minute, writes) select installation_id, date_trunc('minute', now()), 3 ${ofRepository}
    on conflict (installation_id, minute) do update set writes = 3`,
  `insert into cross_repo_plans (installation_id, upstream_run_id, upstream_stack_id, repo_id)
    select installation_id, gen_random_uuid(), s.id, r.id ${ofRepository}`,
  `insert into external_edges (installation_id, stack_id, repo_id, upstream, upstream_repo, upstream_key, type)
    select installation_id, s.id, r.id, 'acme/net//x', 'acme/net', 'x', 'depends_on' ${ofRepository}`,
  `insert into former_names (repo_id, name) select r.id, 'acme/old-name' ${ofRepository}`,
  `insert into publications (installation_id, run_id, next_at)
    select r.installation_id, x.id, now() ${ofRepository} join runs x on x.repo_id = r.id
    on conflict do nothing`,
  `insert into drift_issues (installation_id, stack_id, repo_id, wanted_at, state)
    select installation_id, s.id, r.id, now(), 'closed' ${ofRepository}`,
  `insert into module_tags (installation_id, repo_id, tag, sha) select installation_id, r.id, 'v1', 'x' ${ofRepository}`,
  `insert into module_versions (installation_id, module_id, precedence, repo_id, tag, counts, newer)
    select r.installation_id, m.id, 'x', r.id, 'v1', true, 0 ${ofRepository} join modules m on m.family_id is null`,
  `insert into run_counts (installation_id, repo_id, status, runs) select installation_id, r.id, 'superseded', 0 ${ofRepository}`,
  `insert into stack_counts (installation_id, repo_id, status, stacks) select installation_id, r.id, 'superseded', 0 ${ofRepository}`,
]

const mergeModules = async (world: World): Promise<void> => {
  const stacks = ['a', 'b', 'c', 'd']
  const { pull, job, id } = await planning(world, stacks)
  const net = 'acme/net?ref=1.0'
  const graph = { stacks: stacks.map((path) => stack(path)), modules: [git(net)], edges: [use('stack a', net, '1.0')] }
  const { status, body } = await job.upload(id, { graph: { ...graph, tree_hash: 'with modules' }, stacks })
  if (status !== 200) throw new Error(JSON.stringify(body))
  for (const key of stacks) await job.report(id, key)
  await pull.merge()
  await world.settled()
}

/** A service's database with the tables, and nothing in them. */
export const emptyService = async (t: Test): Promise<{ pool: Pool; url: string }> => {
  const { url } = await testDatabase(t)
  const pool = await createPool(url, { log, settings: { idle_in_transaction_session_timeout: '0' } })
  t.teardown(() => pool.end())
  return { pool, url }
}

/** The service of another database, for the same code host, which sends its webhooks there from now on. */
export const movedTo = async (t: Test, world: World, { pool, url }: { pool: Pool; url: string }): Promise<World> => {
  const env = { ...world.env, DATABASE_URL: url }
  const service = await startInstance(t, env)
  world.github.setWebhookUrl(`${service.url}/webhooks/codehost`)
  const moved = { ...world, env, pool, service, settled: () => settled(world.github, pool) }
  await moved.settled()
  return moved
}

/** The test's own folder has the code host's repositories. */
export const ownFolder = async (t: Test): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-moving-'))
  t.teardown(() => rm(folder, { recursive: true }))
  return folder
}

type Exporting = { account?: string; meanwhile?: () => Promise<void> }

/** Exports acme, without the wait for requests under way: there are none. */
export const exported = async (t: Test, pool: Pool, { account = 'acme', meanwhile }: Exporting = {}) => {
  const [installation] = await installationsNamed(pool, account)
  if (!installation) throw new Error(`${account} has no installation`)
  const file = join(await ownFolder(t), 'moved.svc')
  const ending = await exportInstallation({
    pool,
    installation,
    file,
    progress: () => {},
    settle: meanwhile ?? (async () => {}),
  })
  return { file, ending, id: installation.id }
}

export const imported = (pool: Pool, file: string) => importInstallation({ pool, file, progress: () => {} })

/** What the services note each for itself: of who serves the installation, and what was read of it. */
const ownColumns: Partial<Record<TableName, string[]>> = {
  installations: ['suspended_at', 'paused_at', 'removed_at'],
  repositories: ['config_read_at'],
  jobs: ['id'],
}

/** All rows of an installation, whole, by table. */
export const allRows = async (pool: Pool, id: number): Promise<Record<string, string[]>> => {
  const rows: Record<string, string[]> = {}
  for (const table of movedTableNames) {
    const lines = await pool.anyFirst(sql.type(z.object({ row: z.string() }))`
      select (to_jsonb(t) - ${sql.array(ownColumns[table] ?? [], 'text')})::text as row
      from ${sql.identifier([table])} t where ${isMoved(table, id)} order by 1`)
    rows[table] = [...lines]
  }
  return rows
}

/** How many rows there are of all tables that move, whoever they belong to. */
export const rowsOfAll = async (pool: Pool): Promise<number> => {
  let count = 0
  for (const table of movedTableNames)
    count += await pool.oneFirst(sql.type(z.object({ rows: z.number() }))`
      select count(*) as rows from ${sql.identifier([table])}`)
  return count
}

/** The lines of an exported file. */
export const linesIn = async (file: string): Promise<string[]> => {
  let text = ''
  await pipeline(createReadStream(file), createGunzip(), async (pieces) => {
    for await (const piece of pieces) text += piece
  })
  return text.split('\n').slice(0, -1)
}

export const packed = (lines: readonly string[]): Buffer => gzipSync(lines.map((line) => `${line}\n`).join(''))

export const statusOf = async (world: World, id: string): Promise<string> => {
  const [run] = await query(world, `select status from runs where id = '${id}'`)
  return run?.status
}
