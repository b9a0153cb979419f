import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

let source: Promise<string> | undefined

/** Has axe in every page opened from now on. The browser runs it before the page's own scripts, past a policy that lets no text become code. */
export const bringAxe = async (page: Page): Promise<void> => {
  source ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  await page.addInitScript(await source)
}

/** Rules that colours can break. */
export const rulesOfColour = ['color-contrast', 'link-in-text-block']

/** What axe finds on the page, by all of its rules or by these: a line for each element that breaks one. */
export const axeFindings = (page: Page, rules: readonly string[] = []): Promise<string[]> =>
  page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }
    const { violations } = await axe.run(only.length > 0 ? { runOnly: only } : {})
    return violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help}: ${node.target.join(' ')}`))
  }, rules)
