import { createHash, randomUUID } from 'node:crypto'
import { sessionHash } from '#commands/people/session-hash.ts'
import { addSession } from '#db/people/sessions.ts'
import type { Pool } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import { firstMonth } from '#dev/seed/statements.ts'

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

const uuid = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')

/** The id that the seed gives to the thing with this number. */
const seeded = (kind: string, number: number): string => uuid(md5(`${kind} ${number}`))

/** That of the first run: it begins with its time, as ids of runs do. */
const seededRun = (): string => {
  const time = Date.parse(`${firstMonth}-01T00:00:00Z`).toString(16).padStart(12, '0')
  const rest = md5('run 1')
  return uuid(`${time}7${rest.slice(0, 3)}8${rest.slice(3, 18)}`)
}

export const firstRepository = '/v1/repos/org-1/infra-00001'
export const firstStack = seeded('stack', 1)
export const firstRun = seededRun()
export const firstModule = seeded('module', 1)

/** Every list of the API over a seeded database, by what it shows; with its filters, too. */
export const lists: Record<string, string> = {
  repositories: '/v1/repos',
  runs: `${firstRepository}/runs`,
  'runs of a mode': `${firstRepository}/runs?mode=plan`,
  'runs of a rare status': `${firstRepository}/runs?status=unconfirmed`,
  'runs of a mode and status': `${firstRepository}/runs?mode=plan&status=failed`,
  'all runs': '/v1/runs',
  'all runs of a mode': '/v1/runs?mode=apply',
  'all runs of two modes': '/v1/runs?mode=plan,apply',
  'all runs of a rare status': '/v1/runs?status=unconfirmed',
  'all open runs': '/v1/runs?open=true',
  'all runs of a person': '/v1/runs?actor=eve',
  'runs of a pull request': '/v1/runs?repo=org-1/infra-00001&pr=7',
  stacks: `${firstRepository}/stacks`,
  'all stacks': '/v1/stacks',
  'all stacks by a name': '/v1/stacks?q=ENV/',
  'all stacks of an environment': '/v1/stacks?environment=production',
  'all stacks of a rare status': '/v1/stacks?status=unconfirmed',
  'all drifted stacks': '/v1/stacks?drifted=true',
  'all locked stacks': '/v1/stacks?locked=true',
  'all stacks that are behind': '/v1/stacks?behind=true',
  'runs of a stack': `/v1/stacks/${firstStack}/runs`,
  'runs of a stack of a mode': `/v1/stacks/${firstStack}/runs?mode=plan,apply`,
  'audit log': '/v1/audit',
  'audit log of a person': '/v1/audit?actor=eve',
  'audit log of a rare action': '/v1/audit?action=unlock',
  'audit log of a repository': '/v1/audit?repo=org-1/infra-00001',
  locks: '/v1/locks',
  'locks of a repository': '/v1/locks?repo=org-1/infra-00001',
  'locks of a stack': `/v1/locks?stack=${firstStack}`,
  'locks of a run': `/v1/locks?run=${firstRun}`,
  'locks of a pull request': '/v1/locks?repo=org-1/infra-00001&pr=7',
  'locks in a state': '/v1/locks?state=held.changed',
  'journal, oldest first': `/v1/machines/lock/${firstStack}/journal?order=asc`,
  journal: `/v1/machines/lock/${firstStack}/journal`,
  queue: '/v1/queue?state=dead',
  modules: '/v1/modules',
  'modules by name': '/v1/modules?q=modules/0',
}

/** A list's path with more parameters. */
export const withQuery = (path: string, parameters: Record<string, string | number | undefined>): string => {
  const url = new URL(path, 'http://x')
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return `${url.pathname}${url.search}`
}

/** Signs in a person who sees the repositories of these accounts; returns their cookie. */
export const signIn = async (pool: Pool, sessionKey: Buffer, accounts: number[]): Promise<string> => {
  const token = randomUUID()
  await transact(pool, (tx) =>
    addSession(tx, {
      ...{ token_hash: sessionHash(sessionKey, token), user_id: 1, login: 'grace', avatar_url: '', orgs: [] },
      ...{ account_ids: accounts, owned_ids: [], created_at: new Date(0), expires_at: new Date('2100-01-01') },
    }),
  )
  return `svc_session=${token}`
}
