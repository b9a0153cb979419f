import t from 'tap'
import { type Chart, chartOf } from '../../../../ui/machine/chart/chart.ts'
import { leadsWords, standingOf } from '../../../../ui/machine/chart/standing.ts'

const entry = (seq: number, type: string, from: string | undefined, to: string) => ({
  ...{ seq, to, event: { type } },
  ...(from === undefined ? {} : { from }),
})

const entries = [
  entry(3, 'stack.settled', 'applying.running', 'applying.draining'),
  entry(2, 'stack.settled', 'applying.running', 'applying.running'),
  entry(1, 'apply.requested', 'pending', 'applying.running'),
  entry(0, 'created', undefined, 'pending'),
]

const edgesThatAre = (chart: Chart, how: string, standing: ReturnType<typeof standingOf>): string[] =>
  chart.edges.filter((edge) => standing.edge(edge) === how).map(({ from, to }) => `${from} ${to}`)

t.test('where it is, where it has been, and where it may go', async (t) => {
  const chart = chartOf('run')
  const standing = standingOf(chart, { present: 'applying.draining', entries, at: 3 })
  const how = (wanted: string) =>
    chart.states.filter(({ name }) => standing.state(name) === wanted).map(({ name }) => name)
  t.same(how('present'), ['applying.draining'])
  t.same(how('seen'), ['pending'])
  t.same(how('open'), [
    'applying.running',
    'applying.holding',
    'applying.superseding',
    'applied',
    'failed',
    'unconfirmed',
  ])
  t.same(how('idle'), ['planning', 'planned', 'superseded'])
  t.same(edgesThatAre(chart, 'seen', standing), ['pending applying.running', 'applying.running applying.draining'])
  t.same(standing.leadsTo('applying.superseding'), ['head.replaced'])
})

t.test('an earlier entry shows an earlier moment', async (t) => {
  const chart = chartOf('run')
  const standing = standingOf(chart, { present: 'applying.running', entries, at: 1 })
  t.same(edgesThatAre(chart, 'seen', standing), ['pending applying.running'])
  t.equal(standing.state('applying.draining'), 'open')
})

t.test('a way that the outer state has is walked from any of its inner ones', async (t) => {
  const chart = chartOf('lock')
  const released = [entry(1, 'release.requested', 'held.changed', 'free')]
  const standing = standingOf(chart, { present: 'free', entries: released, at: 1 })
  t.same(edgesThatAre(chart, 'seen', standing), ['held free'])
  const held = standingOf(chart, { present: 'held.changed', entries: [], at: 0 })
  t.ok(held.leadsTo('free').includes('release.requested'))
})

t.test('what an accepted event may lead to, in words', async (t) => {
  const lock = chartOf('lock')
  t.equal(leadsWords(lock, 'held.claimed', 'stack.changed'), 'changed')
  t.equal(leadsWords(lock, 'held.claimed', 'reminder.due'), undefined, 'it stays in any case')
  t.equal(leadsWords(lock, 'held.claimed', 'pull_request.closed'), 'merged, orphaned or free')
  t.match(leadsWords(chartOf('run'), 'applying.running', 'stack.settled'), /^draining, .* or stays$/)
})
