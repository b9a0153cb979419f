import t from 'tap'
import type { asApp } from './hub.ts'
import { complaints } from './rest/openapi.ts'

type Asking = Awaited<ReturnType<typeof asApp>>

/** A request by GitHub's template, on acme/infra unless `params` say otherwise. */
export type Case = {
  as?: Asking
  method?: string
  path: string
  params?: Record<string, string | number>
  query?: string
  body?: unknown
}

/** Asks operations and expects a status and a conforming answer; notes successful ones in `asked`. */
export const expectingBy =
  (asker: Asking, asked: Set<string>) =>
  async (status: number, given: Case): Promise<unknown> => {
    const { as = asker, method = 'GET', path, params = {}, body, query = '' } = given
    const values: Record<string, string | number> = { owner: 'acme', repo: 'infra', ...params }
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
    const answer = await as(method, `${filled}${query}`, body)
    const what = `${method} ${filled}${query} → ${status}`
    t.equal(answer.status, status, what)
    t.strictSame(complaints(method, path, answer.status, answer.body), [], `${what} is as GitHub documents it`)
    if (status < 300) asked.add(`${method} ${path}`)
    return answer.body
  }
