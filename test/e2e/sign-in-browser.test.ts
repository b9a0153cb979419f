import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import t from 'tap'
import { readConfig } from '#config.ts'
import { ensureUi } from '#dev/build-ui.ts'
import { freePort } from '#dev/postgres/cluster.ts'
import { startEmulator } from '#emulator/emulator.ts'
import { createLog } from '#log.ts'
import { startService } from '#service.ts'
import { axeFindings, bringAxe } from '#test/helpers/chromium/axe.ts'
import { pageOf, startChromium, tooWide } from '#test/helpers/chromium/chromium.ts'
import { testDatabase } from '#test/helpers/database.ts'
import { until } from '#test/helpers/until.ts'
import { query } from '#test/scenes/served.ts'

/*
 * A person with a browser sets the service up, starts it with what the page printed, and signs in and out: on a wide screen in
 * light mode, and on a telephone's in dark mode. SVC_TEST_SCREENSHOTS names a directory for pictures of the pages.
 */

const screens = [
  { name: '1280', viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  { name: '375', viewport: { width: 375, height: 667 }, colorScheme: 'dark' },
] as const

const picture = async (page: Page, name: string): Promise<void> => {
  const directory = process.env.SVC_TEST_SCREENSHOTS
  if (directory === undefined) return
  await mkdir(directory, { recursive: true })
  await page.screenshot({ path: join(directory, `${name}.png`), fullPage: true })
}

t.test('a person gets from an empty service to being signed in', async (t) => {
  const [browser] = await Promise.all([startChromium(t), ensureUi()])
  for (const { name, ...screen } of screens) {
    await t.test(`at ${name} pixels`, async (t) => {
      const { url } = await testDatabase(t)
      const github = await startEmulator({ dataDir: t.testdir() })
      t.teardown(() => github.close())
      const base = `http://127.0.0.1:${await freePort()}`
      const start = async (variables: Record<string, string> = {}) => {
        const read = readConfig({
          SVC_BASE_URL: base,
          SVC_LISTEN: new URL(base).host,
          DATABASE_URL: url,
          CODEHOST_API_URL: github.url,
          CODEHOST_WEB_URL: github.webUrl,
          ...variables,
        })
        if ('problems' in read) throw new Error(read.problems.join('\n'))
        return startService(read.config, { paced: false, log: createLog({ level: 'silent', format: 'json' }) })
      }
      const { page, complaints } = await pageOf(browser, screen)
      await bringAxe(page)
      const looksRight = async (what: string) => {
        t.same(await tooWide(page), [], `${what} fits`)
        t.same(await axeFindings(page), [], `${what}: axe finds nothing`)
        const ink = await page.evaluate(() => getComputedStyle(document.body).color)
        t.match(
          ink,
          screen.colorScheme === 'dark' ? /rgb\(2\d\d, / : /rgb\(\d\d?, /,
          `${what} is written in the colours of its theme`,
        )
        await picture(page, `${what.replaceAll(' ', '-')}-${name}`)
      }

      const setup = await start()
      await page.goto(`${base}/setup?org=acme`)
      await looksRight('the setup page')
      await page.getByRole('button', { name: /^Create the app on 127/ }).click()
      t.match(page.url(), new RegExp(`^${github.webUrl}/organizations/acme/settings/apps/new\\?state=`))
      await page.getByRole('button', { name: 'Create GitHub App' }).click()
      await page.waitForURL(`${base}/setup/callback?**`)
      t.match(await page.textContent('h1'), /^svc-127.0.0.1 was created$/)
      await looksRight('the page of credentials')
      const lines = (await page.locator('pre').first().textContent())?.split('\n') ?? []
      const variables = Object.fromEntries(lines.map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]))
      await page.reload()
      t.match(await page.textContent('body'), /was used/, 'nobody sees them again')
      await setup.stop()

      const service = await start(variables)
      t.teardown(() => service.stop())
      github.createInstallation({ account: 'acme', type: 'Organization' })
      github.organization('acme').addMember('ada')
      await github.deliveriesSettled()
      await until(async () => (await query(url, ['select count(*)::int as n from installations']))[0].n > 0)

      await page.goto(`${base}/auth/login?next=/runs/1`)
      await page.getByLabel('Somebody else').fill('eve')
      await page.getByRole('button', { name: 'Go on' }).click()
      t.match(await page.textContent('h1'), 'The app is not installed')
      await looksRight('the page without an app')
      await page.getByRole('link', { name: 'Sign in again' }).click()
      await page.getByRole('button', { name: 'Cancel' }).click()
      t.match(await page.textContent('body'), /sign-in was refused/)
      await looksRight('the page of a refusal')
      t.same(
        complaints.filter((one) => !/status of 40[03]/.test(one)),
        [],
        'nothing was blocked',
      )

      await page.goto(`${base}/auth/login?next=/runs/1`)
      await page.getByRole('button', { name: 'ada' }).click()
      t.equal(page.url(), `${base}/runs/1`)
      await page.goto(`${base}/v1/me`)
      t.match(JSON.parse((await page.textContent('body')) ?? ''), { login: 'ada', orgs: ['acme'] })

      await page.goto(github.webUrl)
      const answered = page.waitForResponse(`${base}/auth/logout`)
      await page.evaluate((action) => {
        const form = Object.assign(document.createElement('form'), { method: 'post', action, enctype: 'text/plain' })
        document.body.append(form)
        form.submit()
      }, `${base}/auth/logout`)
      t.equal((await answered).status(), 403, 'a page from elsewhere cannot sign anybody out')
      await page.waitForURL(`${base}/auth/logout`)
      await page.goto(`${base}/v1/me`)
      t.match(await page.textContent('body'), /"login":"ada"/)
      const free = await browser.newContext({ storageState: await page.context().storageState() })
      const own = await free.newPage()
      await own.goto(`${base}/runs/1`)
      const status = await own.evaluate(async () => (await fetch('/auth/logout', { method: 'POST' })).status)
      t.equal(status, 204, 'a page of ours can')
      t.same(await free.cookies(base), [], 'and no cookie stays')
      await page.goto(`${base}/v1/me`)
      t.match(await page.textContent('body'), /unauthorized/)
      await free.close()
      await page.context().close()
    })
  }
})
