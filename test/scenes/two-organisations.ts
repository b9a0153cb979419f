import type { Test } from 'tap'
import { readConfig } from '#config.ts'
import { createLog } from '#log.ts'
import { startService } from '#service.ts'
import { watchLockOrder } from '#test/db/lock-order.ts'
import { startWorld } from '#test/helpers/world.ts'
import { type Browser, browserAt, signInAs } from './people.ts'

/** The address of the service's pages, as browsers see it. */
const base = 'http://svc.example.com'

/**
 * acme with its repository infra, and other, which has the app too. In acme grace may push, rita may read and olga is an
 * owner; eve belongs to other alone, and is an outside collaborator of acme's repository with every right at the code host.
 */
export const twoOrganisations = async (t: Test, options: Parameters<typeof startWorld>[1] = {}) => {
  const world = await startWorld(t, options)
  const { github, repository } = world
  const read = readConfig({
    ...world.env,
    SVC_SESSION_KEY: 'a'.repeat(64),
    CODEHOST_OAUTH_CLIENT_ID: github.app.clientId,
    CODEHOST_OAUTH_CLIENT_SECRET: github.app.clientSecret,
  })
  if ('problems' in read) throw new Error(read.problems.join('\n'))
  const log = createLog({ level: 'silent', format: 'json' })
  const service = await startService(read.config, {
    paced: false,
    scheduled: false,
    log,
    seam: watchLockOrder(t),
    ...options.replaced,
  })
  t.teardown(() => service.stop())

  const acme = github.organization('acme')
  acme.addMember('olga', 'owner')
  for (const member of ['grace', 'rita']) acme.addMember(member)
  repository.setPermission('grace', 'write')
  repository.setPermission('rita', 'read')
  repository.setPermission('eve', 'admin')
  github.createInstallation({ account: 'other', type: 'Organization' })
  github.organization('other').addMember('eve')
  await world.settled()

  const signedIn = async (login: string): Promise<Browser> => {
    const browser = browserAt(service.url)
    const { status } = await signInAs(browser, login)
    if (status !== 302) throw new Error(`${login} was not let in: ${status}`)
    return browser
  }
  const people = {
    grace: await signedIn('grace'),
    rita: await signedIn('rita'),
    olga: await signedIn('olga'),
    eve: await signedIn('eve'),
  }
  return { world, service, ...people }
}

export const ask = (browser: Browser, path: string) => browser.open(path, { headers: { accept: 'application/json' } })

export const post = (
  browser: Browser,
  path: string,
  body: unknown = undefined,
  headers: Record<string, string> = { origin: base },
) => {
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  return browser.open(path, {
    method: 'POST',
    headers: { accept: 'application/json', ...type, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}
