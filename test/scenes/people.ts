import { randomBytes } from 'node:crypto'
import type { Test } from 'tap'
import { readConfig } from '#config.ts'
import { type Emulator, startEmulator } from '#emulator/emulator.ts'
import { createLog } from '#log.ts'
import { type Replacements, startService } from '#service.ts'
import { watchLockOrder } from '#test/db/lock-order.ts'
import { authorize } from '#test/emulator/people/people-at-the-hub.ts'
import { testDatabase } from '#test/helpers/database.ts'
import { serviceEnvironment } from '#test/helpers/service-environment.ts'
import type { Json } from './served.ts'

export type Answer = { status: number; headers: Headers; text: string; json: Json }

/** A browser as the service sees it: it keeps cookies, sends them along, and follows no redirect by itself. */
export type Browser = {
  cookies: Map<string, string>
  /** The Set-Cookie lines of the last answer. */
  set(): string[]
  open(path: string, init?: RequestInit): Promise<Answer>
}

export const browserAt = (address: string, cookies = new Map<string, string>()): Browser => {
  let lines: string[] = []
  return {
    cookies,
    set: () => lines,
    open: async (path, init = {}) => {
      const headers = new Headers({ accept: 'text/html,application/xhtml+xml', ...(init.headers as object) })
      if (cookies.size > 0) headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
      const response = await fetch(`${address}${path}`, { redirect: 'manual', ...init, headers })
      lines = response.headers.getSetCookie()
      for (const line of lines) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (/; Max-Age=0(;|$)/.test(line)) cookies.delete(name)
        else cookies.set(name, value)
      }
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.startsWith('application/json')
      return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} }
    },
  }
}

/** From /auth/login to the answer of /auth/callback, with consent at the code host (refused if there is no login). */
export const signInAs = async (browser: Browser, login?: string, next = '/'): Promise<Answer> => {
  const sent = await browser.open(`/auth/login?next=${encodeURIComponent(next)}`)
  const back = await authorize(sent.headers.get('location') ?? '', login)
  // a proxy removes the path of the base URL
  return browser.open(`${back.pathname.replace(/^\/svc(?=\/)/, '')}${back.search}`)
}

export type People = {
  github: Emulator
  env: Record<string, string>
  /** Set by a test; shared by all instances. */
  clock: { at: Date }
  /** Another instance of the service, with some variables changed; returns its address. */
  start(changes?: Record<string, string | undefined>, replaced?: Replacements): Promise<string>
}

/** An emulated code host and a database, with as many instances of the service as are started. */
export const peopleFor = async (t: Test): Promise<People> => {
  const { url } = await testDatabase(t)
  const github = await startEmulator({ dataDir: t.testdir() })
  t.teardown(() => github.close())
  const clock = { at: new Date(), now: () => clock.at }
  const env = {
    ...serviceEnvironment(github, url),
    CODEHOST_OAUTH_CLIENT_ID: github.app.clientId,
    CODEHOST_OAUTH_CLIENT_SECRET: github.app.clientSecret,
    SVC_SESSION_KEY: randomBytes(32).toString('hex'),
  }
  const start: People['start'] = async (changes = {}, replaced = {}) => {
    const read = readConfig({ ...env, ...changes })
    if ('problems' in read) throw new Error(read.problems.join('\n'))
    const log = createLog({ level: 'silent', format: 'json' })
    const service = await startService(read.config, {
      paced: false,
      log,
      clock,
      scheduled: false,
      seam: watchLockOrder(t),
      ...replaced,
    })
    t.teardown(() => service.stop())
    return service.url
  }
  return { github, env, clock, start }
}
