import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Cookie, Page } from 'playwright-core'
import type { Test } from 'tap'
import { ensureUi } from '#dev/build-ui.ts'
import { freePort } from '#dev/postgres/cluster.ts'
import type { Replacements } from '#service.ts'
import { axeFindings, bringAxe, rulesOfColour } from '#test/helpers/chromium/axe.ts'
import { pageOf, startChromium, tooWide } from '#test/helpers/chromium/chromium.ts'
import { startWorld, type World } from '#test/helpers/world.ts'
import { signIn } from './sign-in.ts'

/*
 * A person at a browser, in front of the real service with its built pages, a Postgres and an emulated code host. One browser a file;
 * each page that is opened is that of a new browser. Who sits there signs in at the code host as anybody would, once: other pages of
 * theirs have that session, which saves a second each.
 */

export type Screen = {
  name: string
  viewport: { width: number; height: number }
  colorScheme: 'light' | 'dark'
  /** The browser takes the place of the page's own colours, as it does for who needs a contrast of their own. */
  forcedColors?: 'active'
}

const wide: Screen = { name: '1280', viewport: { width: 1280, height: 800 }, colorScheme: 'light' }

/** The widths of a desk's screen and of a telephone's: `audit` looks at each in both colours. */
export const screens: Screen[] = [wide, { ...wide, name: '375', viewport: { width: 375, height: 667 } }]

/** Only colours differ between the two: dark asks the rules that they can break, which is a third of the work of all. */
const schemes = [
  ['dark', rulesOfColour],
  ['light', []],
] as const

export type Seat = {
  page: Page
  /** What the console and the policy said since the last look, which forgets it. */
  complaints(): string[]
}

export type Place = World & {
  base: string
  browser: Browser
  /** A new person at a browser: signed in, or not. */
  sit(as?: string | undefined, screen?: Screen): Promise<Seat>
}

type Options = { files?: Record<string, string>; replaced?: Replacements }

/**
 * Everything there, with ada in the organisation that has the app. `options` are those of `startWorld`, and so is what scenes of
 * test/scenes do with the place.
 */
export const startPlace = async (t: Test, options: Options = {}): Promise<Place> => {
  const base = `http://127.0.0.1:${await freePort()}`
  await ensureUi()
  const [browser, world] = await Promise.all([
    startChromium(t),
    startWorld(t, {
      ...options,
      env: ({ app }) => ({
        SVC_BASE_URL: base,
        SVC_LISTEN: new URL(base).host,
        // jobs of test/helpers/runner.ts have tokens for it
        SVC_OIDC_AUDIENCE: 'http://svc.example.com',
        CODEHOST_OAUTH_CLIENT_ID: app.clientId,
        CODEHOST_OAUTH_CLIENT_SECRET: app.clientSecret,
      }),
    }),
  ])
  world.github.organization('acme').addMember('ada')
  world.repository.setPermission('ada', 'write')
  const sessions: Sessions = new Map()
  return { ...world, base, browser, sit: (as, on = wide) => sit(browser, base, sessions, as, on) }
}

/** By who has it: the cookie of a session. */
type Sessions = Map<string, Cookie[]>

const sit = async (
  browser: Browser,
  base: string,
  sessions: Sessions,
  as: string | undefined,
  { name, ...screen }: Screen,
): Promise<Seat> => {
  const { page, complaints } = await pageOf(browser, { ...screen, baseURL: base, reducedMotion: 'reduce' })
  await bringAxe(page)
  // a first page takes 1 s, and 6 on a processor ten times slower, which the other tests of a busy machine can make of it
  page.setDefaultTimeout(60_000)
  if (as !== undefined) await enter(page, base, sessions, as)
  return { page, complaints: () => complaints.splice(0) }
}

const enter = async (page: Page, base: string, sessions: Sessions, as: string): Promise<void> => {
  const known = sessions.get(as)
  if (known === undefined) {
    await signIn(page, as)
    sessions.set(as, await page.context().cookies(base))
    return
  }
  await page.context().addCookies(known)
  await page.goto('/')
  await page.getByRole('button', { name: `account of ${as}` }).waitFor()
}

/**
 * A page as it should be, dark and light: axe finds nothing, nothing is seen only by scrolling sideways, and neither the console nor the
 * policy said anything but what is expected, such as the status of an answer. Pictures are kept where SVC_TEST_SCREENSHOTS names a
 * directory. The colours change in the page as it stands: to open it once more for them costs six times what axe does.
 */
export const audit = async (t: Test, seat: Seat, what: string, expected?: RegExp): Promise<void> => {
  const { page } = seat
  const directory = process.env.SVC_TEST_SCREENSHOTS
  for (const [colorScheme, rules] of schemes) {
    await page.emulateMedia({ colorScheme })
    t.same(await axeFindings(page, rules), [], `${what}, ${colorScheme}: axe finds nothing`)
    if (directory !== undefined) await picture(page, directory, `${what} ${colorScheme}`)
  }
  t.same(await tooWide(page), [], `${what}: nothing scrolls sideways`)
  const said = seat.complaints().filter((one) => !expected?.test(one))
  t.same(said, [], `${what}: nothing is said on the console`)
}

/** Writes the whole page into a directory; answers the file's name. */
export const picture = async (page: Page, directory: string, name: string): Promise<string> => {
  await mkdir(directory, { recursive: true })
  const path = join(directory, `${name.replaceAll(/[^\w-]+/g, '-')}.png`)
  await page.screenshot({ path, fullPage: true })
  return path
}
