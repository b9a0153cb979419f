import t from 'tap'
import { nudge } from '#test/helpers/nudge.ts'
import { until } from '#test/helpers/until.ts'
import { startWorld } from '#test/helpers/world.ts'
import { shiftingClock } from '#test/scenes/dispatched.ts'
import { hostGate, query, secondInstance } from '#test/scenes/scene.ts'
import { requestSync, requestSyncAtStart } from '#workers/handlers/request-sync.ts'

/* Changes on the code host's side that were never reported here, and are found by asking. */

const clock = shiftingClock()
const gate = hostGate()
const world = await startWorld(t, { replaced: { clock, fetch: gate.fetch } })
const { github } = world

/** Does something that no webhook reports. */
const unheard = async (act: () => unknown): Promise<void> => {
  const vanish = github.faults.add({ kind: 'webhook', effect: 'vanish' })
  await act()
  await world.settled()
  vanish.remove()
}

const sync = async (): Promise<void> => {
  await requestSync(world.pool)
  await world.settled()
}

/** `owner/name of account`, and its state, of each repository that was ever known. */
const known = async (): Promise<string[]> =>
  (
    await query(
      world,
      `select r.full_name || ' of ' || i.account_login || case when r.archived then ' archived' else '' end
         || case when r.removed_at is not null then ' removed' else '' end
         || case when i.suspended_at is not null then ' suspended' else '' end
         || case when i.removed_at is not null then ' uninstalled' else '' end as text
       from repositories r join installations i on i.id = r.installation_id order by r.full_name collate "C"`,
    )
  ).map(({ text }) => String(text))

const made = (owner: string, name: string) => github.createRepository({ owner, name, files: { 'a.txt': 'a\n' } })

/** An account whose installation sees these repositories of the account. */
const installed = async (account: string, ...names: string[]) => {
  const repositories = await Promise.all(names.map((name) => made(account, name)))
  const installation = github.createInstallation({ account, type: 'Organization', repositories: names })
  return { installation, repositories }
}

t.test('installations and repositories that came, went and changed while we were down are found', async (t) => {
  const [beta, gamma, delta, epsilon] = await Promise.all([
    installed('beta', 'archived', 'moved', 'renamed', 'taken-out'),
    installed('gamma', 'infra'),
    installed('delta', 'infra'),
    installed('epsilon', 'infra'),
  ])
  await world.settled()
  epsilon.installation.suspend()
  await world.settled()
  t.same(await known(), [
    'acme/infra of acme',
    ...['beta/archived of beta', 'beta/moved of beta', 'beta/renamed of beta', 'beta/taken-out of beta'],
    'delta/infra of delta',
    'epsilon/infra of epsilon suspended',
    'gamma/infra of gamma',
  ])
  const [archived, moved, renamed] = beta.repositories
  await unheard(async () => {
    archived?.archive(true)
    moved?.transfer('acme')
    renamed?.rename('new-name')
    beta.installation.removeRepository('beta/taken-out')
    gamma.installation.uninstall()
    delta.installation.suspend()
    epsilon.installation.unsuspend()
    await installed('zeta', 'infra')
  })
  await sync()
  const now = [
    ...['acme/infra of acme', 'acme/moved of acme'],
    ...['beta/archived of beta archived', 'beta/new-name of beta', 'beta/taken-out of beta removed'],
    'delta/infra of delta suspended',
    'epsilon/infra of epsilon',
    'gamma/infra of gamma removed uninstalled',
    'zeta/infra of zeta',
  ]
  t.same(await known(), now)
  await sync()
  t.same(await known(), now, 'asking again changes nothing')
  await unheard(async () => {
    beta.installation.addRepository('beta/taken-out')
    github.createInstallation({ account: 'gamma', type: 'Organization' })
  })
  await sync()
  t.match(
    await known(),
    now.map((text) => text.replace(' removed', '').replace(' uninstalled', '')),
    'they come back',
  )
})

t.test('one installation that fails does not stop the others, and is tried again alone', async (t) => {
  await unheard(async () => {
    await made('acme', 'late')
    await installed('eta', 'late')
  })
  const [acme] = await query(world, `select id from installations where account_login = 'acme'`)
  // of the account that is asked first; its token is known already
  const path = '/installation/repositories'
  github.faults.add({ kind: 'request', path, effect: { status: 403 }, times: 1 })
  await requestSync(world.pool)
  const waiting = () => query(world, `select kind, key, lane, payload from jobs where state = 'queued'`)
  await until(async () => (await waiting()).some(({ key }) => key === String(acme?.id)))
  t.match(await waiting(), [{ kind: 'sync_installations', payload: { installation_id: acme?.id } }])
  const seen = async () => (await known()).filter((text) => text.includes('/late'))
  t.same(await seen(), ['eta/late of eta'])
  clock.forward(2)
  await world.settled()
  t.same(await seen(), ['acme/late of acme', 'eta/late of eta'])
  t.match(await query(world, `select count(*)::int from jobs where state = 'dead'`), [{ count: 0 }])
})

t.test('instances that start together ask once', async (t) => {
  const asked = () => github.requests.filter(({ route }) => route === '/app/installations').length
  const before = asked()
  const listing = gate.hold('/api/v3/app/installations')
  await requestSyncAtStart(world.pool)
  await nudge(world.pool)
  await listing.arrived
  await secondInstance(t, world)
  await requestSyncAtStart(world.pool)
  listing.release()
  await world.settled()
  t.equal(asked() - before, 1)
})

t.test('a start does not wait for an earlier failure: the start may be what fixes it', async (t) => {
  const down = github.faults.add({ kind: 'request', path: '/app/installations', effect: { status: 401 } })
  await requestSync(world.pool)
  const failed = `select from jobs where kind = 'sync_installations' and state = 'queued' and last_error <> ''`
  await until(async () => (await query(world, failed)).length === 1)
  down.remove()
  await requestSyncAtStart(world.pool)
  await nudge(world.pool)
  await until(async () => (await query(world, failed)).length === 0)
  await world.settled()
  t.match(await query(world, `select state from jobs where kind = 'sync_installations' order by id desc limit 1`), [
    { state: 'done' },
  ])
})

t.test('news of one installation lists that one alone; of one that is not known, all', async (t) => {
  const one = await installed('theta', 'infra')
  await world.settled()
  const asked = async (act: () => unknown): Promise<string[]> => {
    const before = (await query(world, 'select coalesce(max(id), 0) as id from jobs'))[0]?.id
    await act()
    await world.settled()
    const rows = await query(
      world,
      `select key from jobs where kind = 'sync_installations' and id > ${before} order by id`,
    )
    return rows.map(({ key }) => String(key))
  }
  const id = String(one.installation.id)
  t.same(await asked(() => one.repositories[0]?.rename('infra-renamed')), [id])
  t.same(await asked(() => one.repositories[0]?.archive(true)), [id])
  t.ok((await known()).includes('theta/infra-renamed of theta archived'))
  t.same(await asked(() => requestSync(world.pool, null, 987_654)), ['all'])
  one.installation.suspend()
  await world.settled()
  t.same(await asked(() => requestSync(world.pool, null, one.installation.id)), ['all'])
  one.installation.unsuspend()
  await world.settled()
})
