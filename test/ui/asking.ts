import type { Locator, Page } from 'playwright-core'

/** A person with a question, at an address: every click until the answer is counted. */
export const asking = async (page: Page, address: string) => {
  let clicks = 0
  await page.goto(address)
  return {
    click: async (where: Locator): Promise<void> => {
      clicks += 1
      await where.click()
    },
    clicks: () => clicks,
  }
}
