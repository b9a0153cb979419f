import type { Page, Route } from 'playwright-core'

/** Requests of this address get no answer until the answered function is called. */
export const hold = async (page: Page, address: string): Promise<() => void> => {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await held
    await route.continue()
  })
  return letGo
}

/** The service's own answer that it cannot just now: `page.route(address, refuse)`. */
export const refuse = (route: Route): Promise<void> =>
  route.fulfill({ status: 503, json: { code: 'unavailable', message: 'not now' } })
