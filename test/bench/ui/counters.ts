import type { Page } from 'playwright-core'

/** What the browser's own counters say of a page. */
const metricsOf = async (page: Page): Promise<(name: string) => Promise<number>> => {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  return async (name) => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
  }
}

/** Percent of so many seconds in which the main thread was busy. */
export const busyPercent = async (page: Page, seconds: number, meanwhile: () => Promise<void>): Promise<number> => {
  const metric = await metricsOf(page)
  const [busy, at] = [await metric('TaskDuration'), await metric('Timestamp')]
  const until = new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  await meanwhile()
  await until
  const [busyThen, then] = [await metric('TaskDuration'), await metric('Timestamp')]
  return ((busyThen - busy) / (then - at)) * 100
}

/** Notes, before a page's own scripts, when an element of this selector was first painted, and how long its longest task was. */
export const watchFor = async (page: Page, selector: string): Promise<void> => {
  await page.addInitScript((selector) => {
    const noted = { paintedAt: 0, longestTask: 0 }
    Object.assign(globalThis, { noted })
    const look = (): void => {
      if (document.querySelector(selector) === null) return
      observer.disconnect()
      requestAnimationFrame(() => requestAnimationFrame(() => Object.assign(noted, { paintedAt: performance.now() })))
    }
    const observer = new MutationObserver(look)
    observer.observe(document, { childList: true, subtree: true })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) noted.longestTask = Math.max(noted.longestTask, duration)
    }).observe({ type: 'longtask', buffered: true })
  }, selector)
}

type Noted = { paintedAt: number; longestTask: number }

const read = (page: Page): Promise<Noted> => page.evaluate(() => (globalThis as unknown as { noted: Noted }).noted)

/** Milliseconds from the beginning of the navigation to the picture that was watched for. */
export const paintedAt = async (page: Page): Promise<number> => {
  await page.waitForFunction(() => (globalThis as unknown as { noted: Noted }).noted.paintedAt > 0)
  return (await read(page)).paintedAt
}

/** Milliseconds of the longest task so far; tasks below 50 are not told, and count as that. */
export const longestTask = async (page: Page): Promise<number> => Math.max(50, (await read(page)).longestTask)
