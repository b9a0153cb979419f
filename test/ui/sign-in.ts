import type { Page } from 'playwright-core'

/** As a person does it, from the page that asks for it to the one that they wanted. */
export const signIn = async (page: Page, login: string, next = '/'): Promise<void> => {
  await page.goto(`/auth/login?next=${encodeURIComponent(next)}`)
  await page.getByLabel('Somebody else').fill(login)
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByRole('button', { name: `account of ${login}` }).waitFor()
}
