import { type Browser, type BrowserContextOptions, chromium, type LaunchOptions, type Page } from 'playwright-core'
import type { Test } from 'tap'
import { unpackChromium } from './unpack.ts'

const options: LaunchOptions = {
  chromiumSandbox: false,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  ],
}

/** The one that CHROMIUM names, else the one of npm; it brings the libraries that a machine without any browser lacks. */
const launchChromium = async (): Promise<Browser> => {
  const { CHROMIUM, LD_LIBRARY_PATH, ...rest } = process.env
  if (CHROMIUM !== undefined) return chromium.launch({ ...options, executablePath: CHROMIUM })
  const { executablePath, env, libraries } = await unpackChromium()
  const own = { ...texts(rest), ...env }
  try {
    return await chromium.launch({ ...options, executablePath, env: { ...own, ...texts({ LD_LIBRARY_PATH }) } })
  } catch (error) {
    if (!String(error).includes('error while loading shared libraries')) throw error
    return chromium.launch({ ...options, executablePath, env: { ...own, LD_LIBRARY_PATH: libraries } })
  }
}

const texts = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined))

/** A browser that reaches nothing but this machine, closed when the test ends. */
export const startChromium = async (t: Pick<Test, 'teardown'>): Promise<Browser> => {
  const browser = await launchChromium()
  t.teardown(() => browser.close())
  return browser
}

/** A page of a new person at the browser; `complaints` is what its console and its content security policy say. */
export const pageOf = async (
  browser: Browser,
  options: BrowserContextOptions,
): Promise<{ page: Page; complaints: string[] }> => {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    // the icon, which no page of the service's own making names
    if (message.location().url.endsWith('/favicon.ico')) return
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return { page, complaints }
}

/** The parts of a page that are seen only by scrolling sideways, by element; parts that scroll by themselves may. */
export const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const scrolls = (element: Element): boolean => /auto|scroll/.test(getComputedStyle(element).overflowX)
    const isInside = (element: Element | null): boolean =>
      element !== null && element !== document.documentElement && (scrolls(element) || isInside(element.parentElement))
    const { clientWidth, scrollWidth } = document.documentElement
    const boxes = [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
      .filter((element) => !isInside(element))
      .map((element) => `${element.tagName} ${element.textContent?.slice(0, 40)}`)
    // unseen words in a frame that scrolls make the page wider though no box is
    return scrollWidth > clientWidth + 1 ? [...boxes, `the page is ${scrollWidth} wide`] : boxes
  })
