import { createHash, randomUUID } from 'node:crypto'
import { sessionHash } from '#commands/people/session-hash.ts'
import { query } from '#test/http/served.ts'

/** The id that the seed gives the thing of this number. */
const seeded = (kind: string, number: number): string => {
  const hex = createHash('md5').update(`${kind} ${number}`).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

export const firstRepository = '/v1/repos/org-1/infra-00001'
export const firstStack = seeded('stack', 1)

/** Every list of the API over a seeded database, by what it shows, in its filters too. */
export const lists: Record<string, string> = {
  repositories: '/v1/repos',
  runs: `${firstRepository}/runs`,
  'runs of a mode': `${firstRepository}/runs?mode=plan`,
  'runs of a rare status': `${firstRepository}/runs?status=unconfirmed`,
  'runs of a mode and status': `${firstRepository}/runs?mode=plan&status=failed`,
  stacks: `${firstRepository}/stacks`,
  'runs of a stack': `/v1/stacks/${firstStack}/runs`,
  'audit log': '/v1/audit',
  locks: '/v1/locks',
  'locks of a repository': '/v1/locks?repo=org-1/infra-00001',
  journal: `/v1/machines/lock/${firstStack}/journal`,
  queue: '/v1/queue?state=dead',
}

/** A list's path with more parameters. */
export const withQuery = (path: string, parameters: Record<string, string | number | undefined>): string => {
  const url = new URL(path, 'http://x')
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return `${url.pathname}${url.search}`
}

/** Signs somebody in who sees the repositories of these accounts; answers their cookie. */
export const addSession = async (url: string, sessionKey: Buffer, accounts: number[]): Promise<string> => {
  const token = randomUUID()
  await query(url, [
    `insert into sessions (token_hash, user_id, login, avatar_url, orgs, account_ids, created_at, expires_at)
     values ($1, 1, 'grace', '', '{}', $2, now(), '2100-01-01')`,
    [sessionHash(sessionKey, token), accounts],
  ])
  return `svc_session=${token}`
}
