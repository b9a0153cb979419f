import type { Page } from 'playwright-core'
import { planning } from '#test/scenes/scene.ts'
import { filesOfFirstPage, kilobytesOf } from '#test/ui/first-page.ts'
import { type Frames, framesOf, recordGraph } from '#test/ui/graph/large-graph.ts'
import { longPlan } from '#test/ui/run-stack/a-plan.ts'
import type { Bench } from './harness/measure.ts'
import { busyPercent, longestTask, paintedAt, watchFor } from './ui/counters.ts'
import { startUiPlace, type UiPlace } from './ui/place.ts'

/*
 * What the web interface costs a browser, by the browser's own counters, against the real service. Each figure has its unit in its name.
 * Beside those of the pages are those of a plain page that does no more than must be done: it is of the same size, or asks the same
 * questions, and draws nothing. A machine's speed is in both.
 */

const stacks = 600
/** Reports a second while a run moves, and for how long. */
const [rate, seconds] = [20, 6]

let place: UiPlace
let planAddress = ''
let runAddress = ''
let longest = Number.NaN

const setup = async (): Promise<void> => {
  place = await startUiPlace()
  const scene = await planning(place, ['data/long', 'data/other'])
  await scene.job.report(scene.id, 'data/long', { plan_text: 'Terraform will perform the following actions:\n' })
  runAddress = `/runs/${scene.id}`
  planAddress = `${runAddress}/stacks/data%2Flong`
}

const withPage = async <T>(work: (page: Page) => Promise<T>): Promise<T> => {
  const page = await place.open()
  try {
    return await work(page)
  } finally {
    await page.context().close()
  }
}

const timeTo = (address: string, selector: string): Promise<number> =>
  withPage(async (page) => {
    await watchFor(page, selector)
    await page.goto(address)
    return paintedAt(page)
  })

/** All files of the first page, as gzip has them. */
const firstPage = (): Promise<number> => withPage(async (page) => kilobytesOf(await filesOfFirstPage(page)))

/** As many lines as the plain page has words of a run to show. */
const plainPage = `<!doctype html><title>plain</title>${'<p class="card">stacks/team-1/service-1 planned</p>'.repeat(60)}`

const plain = (): Promise<number> =>
  withPage(async (page) => {
    await page.route('**/plain', (route) => route.fulfill({ contentType: 'text/html', body: plainPage }))
    await watchFor(page, '.card')
    await page.goto('/plain')
    return paintedAt(page)
  })

const keys = Array.from({ length: stacks }, (_, at) => `stacks/team-${at % 40}/service-${at}`)

/** A run of 600 stacks, while 20 of them report each second. */
const moving = async (measure: (address: string, report: () => Promise<void>) => Promise<number>): Promise<number> => {
  const { id, job } = await planning(place, keys)
  const waiting = [...keys]
  const report = async (): Promise<void> => {
    for (let done = 0; done < rate * seconds; done += 1) {
      const due = new Promise((resolve) => setTimeout(resolve, 1000 / rate))
      await job.report(id, waiting.pop() ?? '')
      await due
    }
  }
  return measure(id, report)
}

const busyBoard = (): Promise<number> =>
  moving((id, report) =>
    withPage(async (page) => {
      await watchFor(page, '.card')
      await page.goto(`/runs/${id}`)
      await paintedAt(page)
      const percent = await busyPercent(page, seconds, report)
      longest = await longestTask(page)
      return percent
    }),
  )

/** Of the last run that moved. */
const longestOfBoard = async (): Promise<number> => {
  if (Number.isNaN(longest)) await busyBoard()
  return longest
}

/** What asking each second and reading the answers costs by itself. */
const busyPlain = (): Promise<number> =>
  moving((id, report) =>
    withPage(async (page) => {
      await page.route('**/plain', (route) => route.fulfill({ contentType: 'text/html', body: plainPage }))
      await page.goto('/plain')
      await page.evaluate((id) => {
        let since = 0
        setInterval(async () => {
          const answer = await fetch(`/v1/runs/${id}?text=none&since=${since}`)
          since = (await answer.json()).rev ?? since
        }, 1000)
      }, id)
      return busyPercent(page, seconds, report)
    }),
  )

/** From the end of the answer with the text to its first lines on the screen. */
const planOf = (bytes: number, measure: (page: Page, drawn: number) => Promise<number>) => (): Promise<number> =>
  withPage(async (page) => {
    const body = longPlan(bytes)
    await page.route('**/text', (route) => route.fulfill({ contentType: 'text/plain; charset=utf-8', body }))
    await watchFor(page, '.plan-head')
    await page.goto(planAddress)
    const painted = await paintedAt(page)
    const answered = await page.evaluate(
      () =>
        performance
          .getEntriesByType('resource')
          .findLast(({ name }) => name.endsWith('/text')) as PerformanceResourceTiming,
    )
    return measure(page, painted - answered.responseEnd)
  })

/** Opens all resources of a plan, and waits for the picture. */
const unfold = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent?.includes('Open all'))
    const began = performance.now()
    button?.click()
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    return performance.now() - began
  })

/** Of a repository with so many stacks and edges; the browser's longest task since the page was opened, too. */
const graphOf =
  (stacks: number, edges: number, measure: (page: Page, frames: Frames) => number | Promise<number>) =>
  async (): Promise<number> => {
    await recordGraph(place, stacks, edges)
    return withPage(async (page) => {
      await watchFor(page, '.graph-canvas')
      await page.goto('/repos/acme/infra/graph')
      await paintedAt(page)
      return measure(page, await framesOf(page))
    })
  }

const drawn = async (_page: Page, ms: number): Promise<number> => ms

const bench: Bench = {
  name: 'ui',
  unit: 'as named',
  about: 'What the web interface takes of a browser.',
  ours: 'interactive_ms',
  setup,
  contenders: {
    first_page_kb_gz: firstPage,
    interactive_ms: () => timeTo(runAddress, '.card'),
    plain_page_ms: plain,
    busy_percent_600_stacks: busyBoard,
    longest_task_ms_600_stacks: longestOfBoard,
    busy_percent_plain: busyPlain,
    plan_256_kb_ms: planOf(256 * 1024, drawn),
    plan_2_mb_ms: planOf(2 * 1024 * 1024, drawn),
    unfold_256_kb_ms: planOf(256 * 1024, unfold),
    graph_2000_frame_ms: graphOf(2000, 10_000, (_, { median }) => median),
    graph_2000_longest_frame_ms: graphOf(2000, 10_000, (_, { longest }) => longest),
    graph_10000_longest_frame_ms: graphOf(10_000, 50_000, (_, { longest }) => longest),
    graph_10000_longest_task_ms: graphOf(10_000, 50_000, longestTask),
    graph_50000_longest_frame_ms: graphOf(50_000, 40_000, (_, { longest }) => longest),
    graph_50000_longest_task_ms: graphOf(50_000, 40_000, longestTask),
  },
  teardown: () => place.stop(),
}

export default bench
