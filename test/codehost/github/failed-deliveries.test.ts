import t from 'tap'
import { type Seen, scriptedGitHub } from './scripted-github.ts'

/* The app's webhook deliveries as GitHub keeps them: newest first, each attempt an entry, paged by a cursor. */

type Attempt = [id: number, guid: string, minute: number, status: 'success' | 'failure']

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString().replace('.000', '')
const since = (minute: number): Date => new Date(Date.UTC(2026, 0, 1, 0, minute))

const deliveriesOf =
  (attempts: Attempt[], pageSize: number) =>
  ({ query }: Seen) => {
    const wanted = attempts.filter(([, , , status]) => status === query.get('status'))
    const from = Number(query.get('cursor')?.replace('v1_', '') ?? 0)
    const json = wanted
      .slice(from, from + pageSize)
      .map(([id, guid, minute]) => ({ id, guid, delivered_at: at(minute), redelivery: false }))
    const next = `<http://github.test/app/hook/deliveries?per_page=100&cursor=v1_${from + pageSize}>; rel="next"`
    return { json, headers: from + pageSize < wanted.length ? { link: next } : {} }
  }

const scripted = (t: Parameters<typeof scriptedGitHub>[0], attempts: Attempt[], pageSize = 2) =>
  scriptedGitHub(t, { 'GET /app/hook/deliveries': deliveriesOf(attempts, pageSize) })

const asked = (seen: Seen[]) => seen.map(({ query }) => [query.get('status'), query.get('cursor')])

t.test('if nothing failed since, one request is enough', async (t) => {
  const github = await scripted(t, [
    [3, 'c', 30, 'success'],
    [2, 'b', 20, 'success'],
    [1, 'a', 10, 'failure'],
  ])
  t.same(await github.host.listFailedDeliveries(since(15)), [])
  t.same(asked(github.seen), [['failure', null]])
  t.match(github.seen[0]?.headers.authorization, /^bearer ey/, 'as the app')
})

t.test('failures are listed oldest first and once, without those that arrived after all', async (t) => {
  const github = await scripted(t, [
    [9, 'again', 90, 'failure'],
    [8, 'repaired', 80, 'success'],
    [7, 'other', 70, 'success'],
    [6, 'late', 60, 'failure'],
    [5, 'again', 50, 'failure'],
    [4, 'repaired', 40, 'failure'],
    [3, 'first', 30, 'failure'],
    [2, 'old', 20, 'success'],
    [1, 'past', 10, 'failure'],
  ])
  t.same(await github.host.listFailedDeliveries(since(30)), [
    { id: 3, guid: 'first', deliveredAt: at(30) },
    { id: 6, guid: 'late', deliveredAt: at(60) },
    { id: 9, guid: 'again', deliveredAt: at(90) },
  ])
  t.same(asked(github.seen), [
    ['failure', null],
    ['failure', 'v1_2'],
    ['failure', 'v1_4'],
    ['success', null],
    ['success', 'v1_2'],
  ])
})

t.test('arrived deliveries are read no further than the oldest failure, or until all are found', async (t) => {
  const arrivals = Array.from({ length: 20 }, (_, n): Attempt => [50 - n, `fine-${n}`, 50 - n, 'success'])
  const lost = await scripted(t, [...arrivals, [1, 'lost', 45, 'failure']])
  t.match(await lost.host.listFailedDeliveries(since(0)), [{ guid: 'lost' }])
  t.equal(lost.seen.length, 1 + 4, 'six are as new as the failure, the seventh is older')
  const mended = await scripted(t, [[60, 'lost', 60, 'success'], ...arrivals, [1, 'lost', 45, 'failure']])
  t.same(await mended.host.listFailedDeliveries(since(0)), [])
  t.equal(mended.seen.length, 1 + 1)
})

t.test('at most a thousand arrivals of a busy organisation are read', async (t) => {
  const arrivals = Array.from({ length: 1500 }, (_, n): Attempt => [5000 - n, `fine-${n}`, 60, 'success'])
  const github = await scripted(t, [...arrivals, [2, 'repaired', 59, 'success'], [1, 'repaired', 45, 'failure']], 100)
  t.match(await github.host.listFailedDeliveries(since(0)), [{ id: 1 }], 'delivered twice, which does no harm')
  t.equal(github.seen.length, 1 + 10)
})

t.test('a delivery is repeated as the app, and missed once GitHub no longer keeps it', async (t) => {
  const github = await scriptedGitHub(t, {
    'POST /app/hook/deliveries/9/attempts': () => ({ status: 202, json: {} }),
  })
  t.equal(await github.host.redeliver(9), true)
  t.match(github.seen[0]?.headers.authorization, /^bearer ey/)
  t.equal(await github.host.redeliver(10), false)
})
