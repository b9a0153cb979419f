import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import type { Test } from 'tap'

/** Where Debian and Ubuntu put it; another one is named by CHROMIUM. */
const path = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((at) => existsSync(at))

export const hasChromium = path !== undefined

/** A browser that reaches nothing but this machine. */
export const startChromium = async (t: Test): Promise<Browser> => {
  if (path === undefined) throw new Error('there is no chromium: set CHROMIUM to its path')
  const browser = await chromium.launch({
    executablePath: path,
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
  })
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
    // the icon that no page names
    if (message.type() === 'error' && !message.location().url.endsWith('/favicon.ico')) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return { page, complaints }
}

/** What of a page cannot be seen without scrolling sideways, by element. */
export const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
      .map((element) => `${element.tagName} ${element.textContent?.slice(0, 40)}`),
  )
