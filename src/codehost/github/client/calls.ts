import type { z } from 'zod'
import { Problem } from '#errors.ts'
import type { RepoRef } from '../../port.ts'
import { NoToken, Refusal } from '../../refusal.ts'
import type { GitHubApp } from './app.ts'
import { failureOf, isOfToken } from './failures.ts'

/** One request to GitHub: `act` names it in errors, `route` is the template of GitHub's REST reference. */
export type Call = {
  act: string
  route: string
  /** Whose token: an installation's, or the app's own. */
  from: number | 'app'
  parameters?: Record<string, unknown>
  accept?: string
  /** For calls that create something: a try whose answer is lost may have created it, so the caller must look first. */
  once?: boolean
  /** Of a list: 100 if left out, or `longTexts`. */
  perPage?: number
}

/** For lists whose items have texts of 65 KB of anybody's: of a hundred, one page is 13 MB, which hold the event loop for 150 ms. */
export const longTexts = 20

export type Calls = {
  /** The answer, checked against what we read of it; a 404 is a Refusal. */
  ask<T>(call: Call, answer: z.ZodType<T>): Promise<T>
  /** The same, but undefined for a 404. */
  find<T>(call: Call, answer: z.ZodType<T>): Promise<T | undefined>
  /** One page after another, until the caller stops. */
  pages<T>(call: Call, answer: z.ZodType<T>): AsyncGenerator<T>
}

/** An app's, a person's, or none. */
type Credentials = Pick<GitHubApp, 'clientOf'> & Partial<Pick<GitHubApp, 'renewToken'>>

/** Calls with these credentials; each sends `cause` as X-Request-Id. */
export const createCalls = (credentials: Credentials, cause: string | undefined): Calls => {
  const ask: Calls['ask'] = async (call, answer) => read(call, answer, (await send(credentials, cause, call)).data)
  return {
    ask,
    find: (call, answer) => ask(call, answer).catch(undefinedIfAbsent),
    async *pages(call, answer) {
      let query: Record<string, unknown> | undefined = { per_page: call.perPage ?? 100 }
      while (query !== undefined) {
        const response = await send(credentials, cause, { ...call, parameters: { ...call.parameters, ...query } })
        yield read(call, answer, response.data)
        query = nextQuery(response.headers.link)
      }
    },
  }
}

/** What all calls in a repository share: the token of its installation, and its name in the route. */
export const inRepo = (
  { installation_id, owner, name }: RepoRef,
  parameters: Record<string, unknown> = {},
): Required<Pick<Call, 'from' | 'parameters'>> => ({
  from: installation_id,
  parameters: { owner, repo: name, ...parameters },
})

/** For what another app made, which GitHub lets no other change. */
export const undefinedIfForbidden = (error: unknown): undefined => {
  if (error instanceof Refusal && !(error instanceof NoToken) && error.hostStatus === 403) return undefined
  throw error
}

const undefinedIfAbsent = (error: unknown): undefined => {
  if (error instanceof Refusal && error.hostStatus === 404) return undefined
  throw error
}

/**
 * A token has the permissions that the installation had when it was made, for an hour; whoever has just accepted what was missing, as our
 * warning asks, would be refused until then. A refused call did nothing, so even one that creates something is sent again.
 */
const send = async ({ clientOf, renewToken }: Credentials, cause: string | undefined, call: Call) => {
  const headers = {
    ...(call.accept === undefined ? {} : { accept: call.accept }),
    ...(cause === undefined ? {} : { 'x-request-id': cause }),
  }
  const request = call.once === true ? { retries: 0 } : {}
  const sendOnce = async () => {
    const octokit = await clientOf(call.from)
    return octokit.request(call.route, { ...call.parameters, headers, request })
  }
  try {
    return await sendOnce().catch(async (error) => {
      if (call.from === 'app' || !isOfToken(error) || !(await renewToken?.(call.from))) throw error
      return sendOnce()
    })
  } catch (error) {
    throw failureOf(call.act, error)
  }
}

const read = <T>(call: Call, answer: z.ZodType<T>, data: unknown): T => {
  const result = answer.safeParse(data)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  // The page of a proxy or of a wrong server: not GitHub's answer, so not one to act on.
  const what = `${issue?.path.join('.') || 'the answer'}: ${issue?.message}`
  throw new Problem('unavailable', `github: ${call.act}: an answer that cannot be read: ${what}`, {
    cause: result.error,
  })
}

/**
 * The query of the next page, asked for under the same template: Link spells the path with ids (`/repositories/1/…`), and
 * each would be a route of its own in the metrics. (plugin-paginate-rest also takes a 409 for the end of a list.)
 */
const nextQuery = (link: string | undefined): Record<string, string> | undefined => {
  const next = link?.match(/<([^<>]+)>;\s*rel="next"/)?.[1]
  return next === undefined ? undefined : Object.fromEntries(new URL(next).searchParams)
}
