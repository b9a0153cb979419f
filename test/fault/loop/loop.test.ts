import t from 'tap'
import { testDatabase } from '#test/helpers/database.ts'
import { paceOfMachine } from '#test/helpers/pace.ts'
import { codeHostDeeds } from './code-host-deeds.ts'
import { codeOwnersDeeds } from './code-owners-deeds.ts'
import { documentDeeds } from './document-deeds.ts'
import { endingDeeds } from './ending-deeds.ts'
import { graphDeeds } from './graph-deeds.ts'
import { openLoop } from './open-loop.ts'
import { playLoop } from './play-loop.ts'
import { webhookDeeds } from './webhook-deeds.ts'

/* `npm run proof -- loop` does all of it, with 20,000 stacks. */

const wanted = [
  ...[
    'stacks in a chain',
    'GET /v1/runs/{id}/gate',
    'GET /v1/repos/{owner}/{repo}/graph',
    'POST /v1/runs by key: stacks',
  ],
  ...[
    'result by runner: summary added',
    'result by runner: zeros',
    'unlock by key: lists in lists',
    'POST /v1/runs/{id}/gate: svc.yml of 256 KB, aliases',
    'checks/{name} by runner: names',
  ],
  ...['push of 25 MB, empty lists', 'star of 25 MB, a long text with half', 'comments of "svc apply " and ","'],
  ...['CODEOWNERS of 3 MB, wildcards'],
  ...['stacks whose workflow run is cancelled', 'stacks that a push supersedes'],
]

t.test('the event loop turns, whatever is sent', async (t) => {
  const { url: databaseUrl } = await testDatabase(t)
  const stops: (() => Promise<unknown>)[] = []
  t.teardown(async () => {
    for (const stop of stops.reverse()) await stop()
  })
  const loop = await openLoop({ databaseUrl, dataDir: t.testdir(), later: (stop) => stops.push(stop) })
  const all = [
    graphDeeds(loop, 2000),
    documentDeeds(loop),
    webhookDeeds(loop),
    codeHostDeeds(loop),
    codeOwnersDeeds(loop),
    endingDeeds(loop, 2000),
  ].flat()
  const deeds = wanted.map((words) => {
    const deed = all.find(({ name }) => name.includes(words))
    if (!deed) throw new Error(`nothing is '${words}'`)
    return deed
  })
  const pace = paceOfMachine(21)
  const bounds = { p99: 100 * pace, longest: 150 * pace, other: undefined }
  const report = await playLoop(loop, { deeds, ms: { alone: 500, deed: 1 }, bounds, tell: (line) => t.comment(line) })
  t.same(report.broken, [])
})
