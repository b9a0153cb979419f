import type { Browser } from 'playwright-core'
import { ensureUi, uiDirectory } from '#dev/build-ui.ts'
import { readBuiltUi } from '#http/ui/built-files.ts'
import { startChromium } from '#test/helpers/chromium/chromium.ts'
import { firstModule, firstRepository, firstRun, firstStack } from '#test/helpers/lists.ts'
import type { Bench } from './harness/measure.ts'
import { type Side, startSide } from './lists/side.ts'
import { paintedAt, watchFor } from './ui/counters.ts'

/*
 * From the beginning of the navigation until what a page is about is on the screen, with an empty cache, over a long history: of a
 * person who sees ten repositories, one of which has half of all stacks and runs. SVC_BENCH_RUNS sets its length; with 1000000
 * there are 50,000 stacks and five million transitions, and the seeding alone takes some minutes.
 */

const runs = Number(process.env.SVC_BENCH_RUNS ?? 100_000)
if (!Number.isInteger(runs) || runs < 1000) throw new Error('SVC_BENCH_RUNS must be an integer of at least 1000')

const sizes = { runs, stacks: Math.max(5000, runs / 20), journal: runs * 5, audit: runs, repositories: 200 }

const repository = firstRepository.replace('/v1', '')
const row = '[role=grid] [data-row]'

/** Each page's address, and what of it is there once it can be used. */
const pages: Record<string, [address: string, selector: string]> = {
  overview: ['/', '.overview-counts'],
  runs: ['/runs', row],
  'runs of a person': ['/runs?actor=eve', row],
  'runs that are open': ['/runs?open=true', `${row}, .empty`],
  run: [`/runs/${firstRun}`, '.card'],
  timeline: [`/runs/${firstRun}/timeline`, '.cause, .empty'],
  repositories: ['/repos', row],
  repository: [repository, row],
  'runs of a repository': [`${repository}/runs`, row],
  'locks of a repository': [`${repository}/locks`, row],
  stacks: ['/stacks', row],
  'failed stacks': ['/stacks?status=failed', row],
  stack: [`/stacks/${firstStack}`, '.bars'],
  locks: ['/locks', row],
  drift: ['/drift', '.drift-group'],
  modules: ['/modules', row],
  module: [`/modules/${firstModule}`, row],
  audit: ['/audit', row],
  search: ['/search?q=env/00001', '.finder-hit'],
}

let side: Side
let browser: Browser
const ends: (() => unknown)[] = []

const setup = async (): Promise<void> => {
  await ensureUi()
  side = await startSide('pages', sizes, (text) => console.error(text), await readBuiltUi(uiDirectory))
  browser = await startChromium({ teardown: (end) => void ends.unshift(end) })
}

const timeTo = async (address: string, selector: string): Promise<number> => {
  const context = await browser.newContext({ baseURL: side.url, viewport: { width: 1280, height: 800 } })
  const [name = '', value = ''] = side.cookie.split('=')
  await context.addCookies([{ name, value, url: side.url }])
  try {
    const page = await context.newPage()
    await watchFor(page, selector)
    await page.goto(address)
    return await paintedAt(page)
  } finally {
    await context.close()
  }
}

const bench: Bench = {
  name: 'pages',
  unit: 'ms',
  about:
    'From the beginning of the navigation until what a page is about is on the screen, over a long history, with an empty cache.',
  ours: 'overview',
  setup,
  contenders: Object.fromEntries(
    Object.entries(pages).map(([name, [address, selector]]) => [name, () => timeTo(address, selector)]),
  ),
  teardown: async () => {
    for (const end of ends) await end()
    await side.stop()
  },
}

export default bench
