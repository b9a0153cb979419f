import type { Locator, Page } from 'playwright-core'

/** Presses Tab until what is meant has the focus, as somebody without a pointer gets there. */
export const tabTo = async (page: Page, meant: Locator): Promise<void> => {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab')
    if (await meant.evaluateAll((all) => all.some((one) => one === document.activeElement))) return
  }
  throw new Error(`Tab does not come to ${meant}`)
}
