import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { systemClock } from '#clock.ts'
import { ensureUi } from '#dev/build-ui.ts'
import { freePort } from '#dev/postgres/cluster.ts'
import { startEmulator } from '#emulator/emulator.ts'
import type { RepositoryHandle } from '#emulator/handles.ts'
import { startChromium } from '#test/helpers/chromium/chromium.ts'
import { startInstance } from '#test/helpers/instance.ts'
import { serviceEnvironment } from '#test/helpers/service-environment.ts'
import type { planning } from '#test/scenes/scene.ts'
import { signIn } from '#test/ui/sign-in.ts'
import { benchDatabase } from '../machine/database.ts'

type Site = Parameters<typeof planning>[0]

export type UiPlace = Site & {
  base: string
  browser: Browser
  /** A page of ada, who is signed in, with nothing in its cache. */
  open(): Promise<Page>
  stop(): Promise<void>
}

/** The built pages, the service with its database, an emulated code host, and a browser. */
export const startUiPlace = async (): Promise<UiPlace> => {
  const ends: (() => unknown)[] = []
  const t = { teardown: (end: () => unknown) => void ends.unshift(end) }
  await ensureUi()
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-bench-ui-'))
  t.teardown(() => rm(dataDir, { recursive: true, force: true }))
  const database = await benchDatabase('ui')
  t.teardown(() => database.stop())
  const github = await startEmulator({ dataDir, clock: () => systemClock.now() })
  t.teardown(() => github.close())
  const installation = github.createInstallation({ account: 'acme', type: 'Organization' })
  const repository: RepositoryHandle = await github.createRepository({
    ...{ owner: 'acme', name: 'infra', files: { 'svc.yml': 'version: 1\n' } },
  })
  installation.addRepository(repository.fullName)
  github.organization('acme').addMember('ada')
  repository.setPermission('ada', 'write')
  const base = `http://127.0.0.1:${await freePort()}`
  const service = await startInstance(t, {
    ...serviceEnvironment(github, database.url),
    ...{ SVC_BASE_URL: base, SVC_LISTEN: new URL(base).host, SVC_OIDC_AUDIENCE: 'http://svc.example.com' },
    ...{ CODEHOST_OAUTH_CLIENT_ID: github.app.clientId, CODEHOST_OAUTH_CLIENT_SECRET: github.app.clientSecret },
  })
  github.setWebhookUrl(`${service.url}/webhooks/codehost`)
  const browser = await startChromium(t)
  const open = await opener(browser, base)
  return { github, repository, service, base, browser, open, stop: () => endAll(ends) }
}

const endAll = async (ends: (() => unknown)[]): Promise<void> => {
  for (const end of ends) await end()
}

/** Signs in once: a page of a new context has the session, and no file of the pages yet. */
const opener = async (browser: Browser, base: string): Promise<() => Promise<Page>> => {
  const options = { baseURL: base, viewport: { width: 1280, height: 800 } }
  const context = await browser.newContext(options)
  await signIn(await context.newPage(), 'ada')
  const storageState = await context.storageState()
  await context.close()
  return async () => (await browser.newContext({ ...options, storageState })).newPage()
}
