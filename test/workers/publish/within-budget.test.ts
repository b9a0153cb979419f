import t from 'tap'
import { createGitHub } from '#codehost/github/github.ts'
import { Refusal } from '#codehost/refusal.ts'
import { RetryAfter } from '#codehost/retry-after.ts'
import { takeWrite } from '#db/queue/content-writes.ts'
import type { CheckRunWanted } from '#domain/checks/check-run.ts'
import { budgetOf, secondsUntilRoom } from '#domain/content-budget.ts'
import { startWorld } from '#test/helpers/world.ts'
import { silent } from '#test/scenes/queue.ts'
import { openPull, query } from '#test/scenes/scene.ts'
import { withinBudget } from '#workers/publish/within-budget.ts'

const world = await startWorld(t)
const { github, pool } = world

let installations = 1000
const start = new Date('2026-03-01T12:00:00Z')
const after = (seconds: number) => new Date(+start + seconds * 1000)

/** Takes an installation's writes until none is left, and returns how many there were. */
const drain = async (installationId: number, seconds: number, share: Parameters<typeof budgetOf>[0] = 'dispatch') => {
  const at = after(seconds)
  for (let taken = 0; ; taken += 1) {
    const answer = await takeWrite(pool, { installationId, at, budget: budgetOf(share) })
    if (!answer.taken) return { taken, wait: secondsUntilRoom(answer.spent, at, budgetOf(share)) }
  }
}

t.test('80 writes in a sliding minute', async (t) => {
  const id = ++installations
  t.same(await drain(id, 0), { taken: 80, wait: 61 })
  t.same((await drain(id, 59)).taken, 0)
  t.same((await drain(id, 60)).taken, 0, 'the minute before counts in full at first')
  t.equal((await drain(id, 61)).taken, 1)
  t.equal((await drain(id, 90)).taken, 39, 'then by the part of it that is less than a minute ago')
  t.equal((await drain(++installations, 90)).taken, 80, 'another installation has its own budget')
})

t.test('500 writes in an hour, and the wait lasts until the first of them are an hour old', async (t) => {
  const id = ++installations
  for (let minute = 0; minute < 7; minute += 1) t.ok((await drain(id, minute * 120)).taken > 0)
  t.same(await drain(id, 14 * 60), { taken: 0, wait: 46 * 60 })
  t.same((await drain(id, 60 * 60 - 1)).taken, 0)
  t.equal((await drain(id, 60 * 60)).taken, 80)
  const [{ count }] = (await query(
    world,
    `select count(*) from content_writes where installation_id = ${id} and minute <= '${start.toISOString()}'`,
  )) as [{ count: number }]
  t.equal(count, 0, 'older rows are removed')
})

t.test('check runs of stacks leave a share for those of the run, and these leave one for dispatches', async (t) => {
  const id = ++installations
  t.equal((await drain(id, 0, 'stack')).taken, 56)
  t.equal((await drain(id, 0, 'whole')).taken, 16)
  t.equal((await drain(id, 0, 'dispatch')).taken, 8)
})

t.test('processes that take at the same time take no more than the budget', async (t) => {
  const id = ++installations
  const take = () => takeWrite(pool, { installationId: id, at: start, budget: { perMinute: 20, perHour: 500 } })
  const answers = await Promise.all(Array.from({ length: 60 }, take))
  t.equal(answers.filter(({ taken }) => taken).length, 20)
})

t.test('nothing is sent once the budget is used up; a dispatch still is, and reads cost nothing', async (t) => {
  const pull = await openPull(world, {})
  const [row] = await query(world, 'select id from installations limit 1')
  const installationId = Number(row?.id)
  const direct = createGitHub({
    appId: github.app.id,
    privateKey: github.app.privateKey,
    apiUrl: github.url,
    log: silent,
    paced: false,
  })
  const clock = { now: () => start }
  const host = withinBudget(direct, { pool, clock }).causedBy('a delivery')
  const repo = { installation_id: installationId, owner: 'acme', name: 'infra' }
  const check = (name: string): CheckRunWanted => ({
    name,
    headSha: pull.headSha(),
    externalId: name,
    detailsUrl: 'https://svc.test/runs/1',
    status: 'queued',
    title: 'waiting',
    summary: 'It waits.',
  })
  const id = await host.createCheckRun(repo, check('svc/plan: a'))
  await host.throwIfNoRoomForStacks(repo)
  await drain(installationId, 0, 'stack')
  const sent = github.requests.length
  await t.rejects(host.throwIfNoRoomForStacks(repo), RetryAfter, 'whoever would read much for one asks first')
  await t.rejects(host.createCheckRun(repo, check('svc/plan: b')), RetryAfter)
  await t.rejects(host.updateCheckRun(repo, id, check('svc/plan: a')), RetryAfter)
  await t.rejects(host.createIssue(repo, { title: 'It drifted', body: 'so' }), RetryAfter, 'one a stack, of any number')
  await t.rejects(host.updateIssue(repo, 1, { title: 'It drifted', body: 'so', state: 'open' }), RetryAfter)
  const checking = { workflow: 'svc-run.yml', ref: 'main', inputs: { mode: 'drift' } }
  await t.rejects(host.dispatchWorkflow(repo, checking), RetryAfter, 'nobody waits for it: one a repository')
  t.equal(github.requests.length, sent)
  await host.createCheckRun(repo, check('svc/plan'))
  const comment = await host.createComment(repo, pull.number, 'Something')
  await drain(installationId, 0, 'whole')
  const writes: (() => Promise<unknown>)[] = [
    () => host.updateCheckRun(repo, id, check('svc/plan')),
    () => host.createComment(repo, pull.number, 'More'),
    () => host.updateComment(repo, comment, 'Else'),
    () => host.addReaction(repo, comment, 'eyes'),
  ]
  for (const write of writes) {
    await t.rejects(write, RetryAfter)
  }
  const order = { workflow: 'svc-run.yml', ref: 'main', inputs: { mode: 'apply' } }
  await t.rejects(host.dispatchWorkflow(repo, order), Refusal, 'the code host was asked, and has no such workflow')
  await drain(installationId, 0)
  await t.rejects(host.dispatchWorkflow(repo, order), RetryAfter)
  const made = (name: string) => host.listCheckRuns(repo, { sha: pull.headSha(), name })
  const counts = await Promise.all(['svc/plan: a', 'svc/plan: b', 'svc/plan'].map(made))
  t.same(
    counts.map(({ length }) => length),
    [1, 0, 1],
  )
})
