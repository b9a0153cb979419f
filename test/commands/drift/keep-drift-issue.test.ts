import t from 'tap'
import { wantDriftIssue } from '#db/drift/drift-issues.ts'
import { nudge } from '#test/helpers/nudge.ts'
import { playJob } from '#test/helpers/runner.ts'
import { until } from '#test/helpers/until.ts'
import { startWorld } from '#test/helpers/world.ts'
import { auditOf } from '#test/scenes/applying.ts'
import { shiftingClock } from '#test/scenes/dispatched.ts'
import { driftRun } from '#test/scenes/drifting.ts'
import { addKey, hostGate, openPull, query, send, stack } from '#test/scenes/scene.ts'

/* One issue per drifted stack (svc.yml, `drift.issues`): how it goes on with later checks, and with people who change it. */

const clock = shiftingClock()
const gate = hostGate()
const world = await startWorld(t, {
  files: { 'svc.yml': 'version: 1\ndrift: { issues: true }\n' },
  replaced: { clock, fetch: gate.fetch },
})
const { github, repository } = world
const key = await addKey(world)
const post = { kind: 'request', method: 'POST', path: '/repos/{owner}/{repo}/issues' } as const

const wanted = async (issues: boolean) => {
  await world.settled()
  await query(world, `update repositories set drift_issues = ${issues} where id = ${repository.id}`)
}

/** Makes these the stacks of the default branch. */
const merge = async (paths: string[]) => {
  await mergePull(paths)
  await world.settled()
}

const mergePull = async (paths: string[]) => {
  const pull = await openPull(world, {})
  const job = playJob(world, pull)
  const { run_id: id } = (await job.open()).body
  await job.upload(id, { graph: { stacks: paths.map((path) => stack(path)), tree_hash: paths.join() }, stacks: paths })
  await pull.merge()
}

/** Lets a check find this many changes in a stack. */
const check = async (path: string, changes: number): Promise<string> => {
  const id = await driftRun(world, path, changes === 0 ? 'none' : 'changes', { changes, changed: [`${path}.it`] })
  await nudge(world.pool)
  await world.settled()
  return id
}

const issuesOf = (path: string) => repository.issues().filter((issue) => issue.now().title === `svc: ${path} drifted`)

/** `#number state: first words` of each issue of a stack. */
const told = (path: string): string[] =>
  issuesOf(path).map((issue) => {
    const { state, body } = issue.now()
    return `${state}: ${/### (.*)/.exec(body ?? '')?.[1]} ${/~\d+/.exec(body ?? '')?.[0] ?? ''}`.trim()
  })

const drifted = (changes: number) => `open: ⚠️ What is there does not match the default branch ~${changes}`
const clean = 'closed: ✅ No drift any more'

const detail = async (path: string) => {
  const [row] = await query(world, `select id from stacks where key = '${path}' and repo_id = ${repository.id}`)
  return (await send(world, key, `/v1/stacks/${row?.id}`)).body.drift
}

await merge(['life', 'people', 'deleted', 'moved', 'lost', 'refused', 'off', 'gone', 'going'])
await wanted(true)

t.test('the life of an issue: opened, left alone, edited, closed and opened again', async (t) => {
  await check('life', 0)
  t.same(told('life'), [], 'none if nothing drifted')
  const run = await check('life', 1)
  const [issue] = issuesOf('life')
  t.match(issue!.now(), { state: 'open', author: { login: `${github.app.slug}[bot]` } })
  t.match(issue!.now().body, new RegExp(`/runs/${run}`))
  t.same(told('life'), [drifted(1)])
  t.match(await (await fetch((await detail('life')).issue_url)).text(), /svc: life drifted/, 'and has a page')
  const { updatedAt } = issue!.now()
  const { drifted_since: since } = await detail('life')
  const next = await check('life', 1)
  t.same(issue!.now().updatedAt, updatedAt, 'the same drift changes nothing')
  const found = await detail('life')
  t.ok(found.checked_at > since, 'checked later')
  t.match(found, {
    ...{ run_id: next, drifted: true, drifted_since: since },
    issue_number: issue!.number,
    issue_url: /\/acme\/infra\/issues\/\d+$/,
  })
  await check('life', 2)
  t.same(told('life'), [drifted(2)])
  await check('life', 0)
  t.same(told('life'), [clean])
  t.equal(issue!.now().stateReason, 'completed')
  t.same(Object.keys(await detail('life')).toSorted(), ['checked_at', 'drifted', 'run_id'], 'only while it has drifted')
  await check('life', 2)
  t.same(told('life'), [drifted(2)], 'the same issue')
  t.equal(issue!.now().stateReason, 'reopened')
})

t.test('an issue that a person closed stays closed until something else drifts', async (t) => {
  await check('people', 1)
  const [issue] = issuesOf('people')
  issue!.close('ada')
  await check('people', 1)
  t.equal(issue!.now().state, 'closed')
  await check('people', 2)
  t.same(told('people'), [drifted(2)])
  issue!.close('ada')
  await check('people', 0)
  t.same(told('people'), [clean])
  issue!.reopen('ada')
  await check('people', 0)
  t.equal(issue!.now().state, 'open', 'an issue that a person reopened stays open')
})

t.test('a deleted issue is replaced when something else drifts', async (t) => {
  await check('deleted', 1)
  issuesOf('deleted')[0]!.delete()
  await check('deleted', 1)
  t.same(told('deleted'), [])
  await check('deleted', 2)
  t.same(told('deleted'), [drifted(2)])
  issuesOf('deleted')[0]!.delete()
  await check('deleted', 0)
  t.same(told('deleted'), [])
})

t.test('a moved issue is kept where it is', async (t) => {
  await github.createRepository({ owner: 'acme', name: 'ops', files: { 'README.md': 'ops\n' } })
  await check('moved', 1)
  const there = issuesOf('moved')[0]!.transfer('acme/ops')
  await check('moved', 2)
  t.match(there.now().body, /~2/)
  t.match(await detail('moved'), { issue_number: there.number, issue_url: /acme\/ops/ })
  await check('moved', 0)
  t.equal(there.now().state, 'closed')
  t.same(told('moved'), [])
})

t.test('an issue whose creation got no answer is found again', async (t) => {
  github.faults.add({ ...post, effect: 'drop-after', times: 1 })
  await driftRun(world, 'lost', 'changes', { changes: 1 })
  await until(
    async () => (await query(world, `select 1 from jobs where kind = 'drift_stack' and last_error <> ''`)).length > 0,
  )
  clock.forward(2)
  await world.settled()
  clock.back()
  t.same(told('lost'), [drifted(1)], 'one, and it is ours')
  await check('lost', 0)
  t.same(told('lost'), [clean])
})

t.test('a repository without issues is audited once, and asked again at the next check', async (t) => {
  repository.setIssues(false)
  await check('refused', 1)
  await check('off', 1)
  await check('refused', 2)
  t.match(await auditOf(world, 'drift_issue_refused'), [
    {
      actor: 'system',
      target: 'acme/infra',
      details: { repo: 'acme/infra', stack: 'refused', problem: /^410: Issues has been disabled/ },
    },
  ])
  t.same(await query(world, `select id from jobs where kind = 'drift_stack' and state in ('queued', 'dead')`), [])
  repository.setIssues(true)
  await check('refused', 2)
  t.same(told('refused'), [drifted(2)])
  repository.setIssues(false)
  clock.forward(30)
  await check('refused', 3)
  clock.back()
  repository.setIssues(true)
  await check('refused', 2)
  t.same(told('refused'), [drifted(2)], 'an existing issue goes on, and is not taken for deleted')
})

t.test('if switched off, no issue is opened, and existing ones are left to people', async (t) => {
  await wanted(false)
  await check('off', 3)
  await check('refused', 0)
  t.same([told('off'), told('refused')], [[], [drifted(2)]])
  t.equal((await detail('off')).issue_number, undefined)
  await wanted(true)
})

t.test('the issue of a stack that the default branch no longer has is closed', async (t) => {
  await check('gone', 1)
  t.same(told('gone'), [drifted(1)])
  const opening = gate.hold('/api/v3/repos/acme/infra/issues', 'POST')
  await driftRun(world, 'going', 'changes', { changes: 1 })
  await nudge(world.pool)
  await opening.arrived
  await mergePull(['life'])
  await until(async () => (await query(world, `select from stacks where key = 'going' and not listed`)).length === 1)
  opening.release()
  await world.settled()
  t.same(told('gone'), ['closed: The default branch no longer has this stack'])
  t.same(told('going'), told('gone'), 'an issue that was being opened just then is not left behind')
  const [unlisted] = await query(world, `select id, repo_id from stacks where key = 'refused'`)
  await query(world, `delete from drift_issues where stack_id = '${unlisted?.id}'`)
  t.equal(await wantDriftIssue(world.pool, { id: unlisted?.id, repoId: unlisted?.repo_id }, new Date()), false)
  const lanes = await query(world, `select distinct lane from jobs where kind = 'drift_stack'`)
  t.match(lanes, [{ lane: /^issues \d+$/ }], 'no two write one issue at the same time')
  t.equal(lanes.length, 1)
})
