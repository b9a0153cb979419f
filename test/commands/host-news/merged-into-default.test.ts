import t from 'tap'
import type { PullRequestHandle } from '#emulator/handles.ts'
import { playJob } from '#test/helpers/runner.ts'
import { until } from '#test/helpers/until.ts'
import { startWorld } from '#test/helpers/world.ts'
import { shiftingClock } from '#test/scenes/dispatched.ts'
import { addKey, hostGate, openPull, query, secondInstance, send, stack } from '#test/scenes/scene.ts'

/*
 * The default-branch graph is the one of the pull request that was merged last, whenever and in whatever order its deliveries
 * are handled.
 */

/** GitHub gives the time of a merge in seconds: two merges with a certain order are some seconds apart. */
const hostClock = shiftingClock()
const twoSeconds = 2 / 60

const gate = hostGate()
const world = await startWorld(t, { replaced: { fetch: gate.fetch }, hostClock })
const other = await secondInstance(t, world, { fetch: gate.fetch })
const pullPath = (pull: PullRequestHandle) => `/api/v3/repos/acme/infra/pulls/${pull.number}`

/** A pull request whose graph is uploaded; the tree's hash shows whose graph it is. */
const withGraph = async (name: string) => {
  const pull = await openPull(world, {})
  const job = playJob(world, pull)
  const { run_id: id } = (await job.open()).body
  const upload = (treeHash: string) =>
    job.upload(id, { graph: { stacks: [stack('net')], tree_hash: treeHash }, changed_paths: ['net/x'] })
  if (name !== '') await upload(name)
  return { pull, job, id, upload }
}

const defaultTree = async (): Promise<string | undefined> => {
  const text = 'select g.tree_hash from repositories r join graphs g on g.id = r.default_graph_id'
  return (await query(world, text))[0]?.tree_hash
}

/** Repeats a delivery about the pull request: the service reads it again. */
const redelivered = async (pull: PullRequestHandle) => {
  const [again] = await query(
    world,
    `insert into jobs (queue, kind, payload, cause)
     select queue, kind, payload, 'again' from jobs where queue = 'events' and kind = 'pull_request'
       and (payload->>'number')::int = ${pull.number} limit 1 returning id`,
  )
  if (!again) throw new Error('there was no delivery about it')
  await world.settled()
}

t.test('after a merge the newest graph of the head becomes the default branch’s', async (t) => {
  const { pull, upload } = await withGraph('older')
  t.equal(await defaultTree(), undefined, 'none before the first merge')
  await upload('newer')
  await pull.merge()
  await world.settled()
  t.equal(await defaultTree(), 'newer')
})

t.test('the commit of a merge is kept, from its delivery if the code host no longer shows it', async (t) => {
  const kept = async (pull: PullRequestHandle) =>
    (await query(world, `select merge_commit_sha from pull_requests where number = ${pull.number}`))[0]
      ?.merge_commit_sha
  const known = await openPull(world, {})
  await world.settled()
  t.equal(await kept(known), null, 'not the one of a trial merge')
  await known.merge()
  await world.settled()
  const shown = await world.repository.head()
  t.equal(await kept(known), shown)
  gate.change((path, body) => (/\/pulls\/\d+$/.test(path) ? { ...body, merge_commit_sha: undefined } : body))
  const told = await openPull(world, {})
  await told.merge()
  await world.settled()
  t.equal(await kept(told), await world.repository.head())
  await redelivered(known)
  t.equal(await kept(known), shown, 'and it stays')
  gate.change(undefined)
})

t.test('a closing without a merge changes nothing, nor does a merge without a graph', async (t) => {
  const closed = await withGraph('closed')
  await closed.pull.close()
  const without = await withGraph('')
  await without.pull.merge()
  await world.settled()
  t.equal(await defaultTree(), 'newer')
})

t.test('new stacks are listed, though their graph comes after the merge', async (t) => {
  const { pull, job, id } = await withGraph('')
  await pull.merge()
  await world.settled()
  const graph = { stacks: [stack('late/one')], tree_hash: 'late' }
  await job.upload(id, { graph, changed_paths: ['late/one/x'] })
  t.equal(await defaultTree(), 'late')
  t.same(await query(world, `select key from stacks where listed`), [{ key: 'late/one' }])
})

t.test('news of a pull request merged earlier does not set it back', async (t) => {
  const first = await withGraph('first')
  await first.pull.merge()
  await world.settled()
  hostClock.forward(twoSeconds)
  const second = await withGraph('second')
  await second.pull.merge()
  await world.settled()
  t.equal(await defaultTree(), 'second')
  await redelivered(first.pull)
  t.equal(await defaultTree(), 'second', 'the delivery of the merge again')
})

t.test('two merges whose deliveries are handled in reverse order end with the later graph', async (t) => {
  const early = await withGraph('early')
  const late = await withGraph('late')
  await world.settled()
  const held = gate.hold(pullPath(early.pull))
  await early.pull.merge()
  hostClock.forward(twoSeconds)
  await late.pull.merge()
  await held.arrived
  // the second is done before the news of the first, still held back, is written
  await until(async () => (await defaultTree()) === 'late')
  held.release()
  await world.settled()
  t.equal(await defaultTree(), 'late')
})

t.test('a merge that two instances hear of at once gives the default branch its graph', async (t) => {
  hostClock.forward(twoSeconds)
  const { pull } = await withGraph('both')
  await Promise.all([pull.merge(), world.settled()])
  await Promise.all([redelivered(pull), redelivered(pull)])
  t.equal(await defaultTree(), 'both')
})

t.test('a graph that comes after the merge counts too', async (t) => {
  hostClock.forward(twoSeconds)
  const { pull, upload } = await withGraph('')
  await pull.merge()
  await world.settled()
  t.equal(await defaultTree(), 'both')
  t.equal((await upload('afterwards')).status, 200, 'its plan was under way')
  t.equal(await defaultTree(), 'afterwards')
})

t.test('a merge into another branch does not count as one into the default branch', async (t) => {
  const { pull } = await withGraph('release')
  gate.change((path, body) => (path === pullPath(pull) ? { ...body, base: { ...body.base, ref: 'release' } } : body))
  await pull.merge()
  await world.settled()
  gate.change(undefined)
  t.equal(await defaultTree(), 'afterwards')
  t.match(await query(world, `select base_ref from pull_requests where number = ${pull.number}`), [
    { base_ref: 'release' },
  ])
})

t.test('a slow answer of the code host does not overwrite a later one', async (t) => {
  const { pull } = await withGraph('slow')
  await world.settled()
  const held = gate.hold(pullPath(pull))
  const slow = playJob(other, pull).open()
  await held.arrived
  await pull.close()
  await world.settled()
  await pull.reopen()
  await pull.push({ 'notes/slow.md': 'more\n' })
  await world.settled()
  held.release()
  await slow
  await world.settled()
  t.match(await query(world, `select state, head_sha from pull_requests where number = ${pull.number}`), [
    { state: 'open', head_sha: pull.headSha() },
  ])
})

t.test('the commit that a merge made means the graph of the merged head', async (t) => {
  const key = await addKey(world)
  const earlier = await withGraph('earlier')
  await earlier.pull.merge()
  const later = await withGraph('later')
  await later.pull.merge()
  await world.settled()
  const merge = await world.repository.head()
  const [merged] = await query(world, `select number, head_sha from pull_requests where merge_commit_sha = '${merge}'`)
  const head: string = merged?.head_sha
  t.not(merge, head)
  const graph = (ref: string) => send(world, key, `/v1/repos/acme/infra/graph?ref=${ref}`)
  t.same((await graph(merge)).body, (await graph('default')).body)
  for (const ref of [merge, merge.slice(0, 7), merge.slice(0, 12).toUpperCase()]) {
    t.match(await graph(ref), { status: 200, body: { sha: head } }, ref)
  }
  const alike = (base: string, sha: string) =>
    query(
      world,
      `insert into pull_requests (installation_id, repo_id, number, state, merged_at, merge_commit_sha, head_sha, base_ref, base_sha,
         author, read_at)
       values ((select installation_id from repositories where id = ${world.repository.id}), ${world.repository.id}, 900, 'closed', now(), '${merge.slice(0, 8)}${'0'.repeat(32)}', '${sha}', '${base}', 'b', 'ada', now())
       on conflict (installation_id, repo_id, number) do update set base_ref = excluded.base_ref, head_sha = excluded.head_sha returning 1`,
    )
  const start = merge.slice(0, 8)
  await alike('main', head)
  t.match(await graph(start), { status: 200, body: { sha: head } }, 'two merges of one graph lead to that graph')
  await alike('release', earlier.pull.headSha())
  t.match(await graph(start), { status: 200, body: { sha: head } }, 'a merge into another branch counts for nothing')
  t.equal((await graph(`${start}${'0'.repeat(32)}`)).status, 404)
  await alike('main', 'f'.repeat(40))
  t.match(await graph(start), { status: 200, body: { sha: head } }, 'nor does one of a head without a graph')
  await alike('main', earlier.pull.headSha())
  t.match(await graph(start), { status: 400, body: { code: 'invalid', details: { field: 'ref', reason: /several/ } } })
  t.equal((await graph(merge)).status, 200, 'while the whole commit id is unique')
  await query(world, 'delete from pull_requests where number = 900 returning 1')
})
