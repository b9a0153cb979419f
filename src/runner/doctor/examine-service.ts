import { z } from 'zod'
import { Problem } from '#errors.ts'
import { requestIdToken, type TokenRequest } from '../service/id-token.ts'
import { serviceAddress } from '../service/service.ts'
import { version } from '../version.ts'
import { type Finding, findingsOf } from './finding.ts'

const service = findingsOf('service')
const token = findingsOf('token')
const clock = findingsOf('clock')

const Health = z.object({ status: z.literal('ok'), version: z.string(), setup_mode: z.boolean().optional() })

const ErrorBody = z.object({ code: z.string(), message: z.string() })

/** Tokens last ten minutes, and a clock may be half a minute off. A header of whole seconds is a second off by itself. */
const SKEW_MS = 30_000

const ATTEMPT_MS = 10_000

/** An id that no run has. */
const noRun = '00000000-0000-4000-8000-000000000000'

const majorOf = (text: string): string | undefined => /^v?(\d+)\./.exec(text)?.[1]

type Heard = { status: number; body: unknown; date: number | undefined }

const ask = async (url: string, bearer?: string): Promise<Heard> => {
  const headers = {
    'user-agent': `svc/${version}`,
    ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
  }
  const response = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(ATTEMPT_MS) })
  const date = Date.parse(response.headers.get('date') ?? '')
  const body: unknown = await response.json().catch(() => undefined)
  return { status: response.status, body, date: Number.isNaN(date) ? undefined : date }
}

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message
}

const examineClock = (theirs: number | undefined, ours: number): Finding[] => {
  if (theirs === undefined) return []
  const seconds = Math.round(Math.abs(theirs - ours) / 1000)
  return seconds * 1000 <= SKEW_MS
    ? [clock.ok("this machine's clock and the service's agree")]
    : [
        clock.warn(
          `this machine's clock is ${seconds} s ${ours > theirs ? 'ahead of' : 'behind'} the service's`,
          'set both by NTP: with a wrong clock the service takes tokens for too old, or not yet valid',
        ),
      ]
}

/** Client and service understand each other within a major version: fields are only ever added. */
const examineVersion = (base: string, theirs: string): Finding[] => [
  service.ok(`${base} answers, version ${theirs}`),
  ...(majorOf(theirs) !== undefined && majorOf(theirs) !== majorOf(version)
    ? [
        service.warn(
          `the service is version ${theirs}, and this client ${version}`,
          'take a client of the same major version',
        ),
      ]
    : []),
]

const examineHealth = async (base: string): Promise<Finding[]> => {
  const todo = 'check SVC_URL, and whether this machine can reach it: network, proxy, certificate'
  try {
    const { status, body, date } = await ask(`${base}/healthz`)
    const health = Health.safeParse(body)
    if (status !== 200 || !health.success)
      return [service.fail(`${base} answers /healthz with ${status}, not as the service does`, todo)]
    if (health.data.setup_mode)
      return [service.fail(`the service at ${base} has no app yet`, `open ${base}/setup and create one`)]
    return [...examineVersion(base, health.data.version), ...examineClock(date, Date.now())]
  } catch (error) {
    return [service.fail(`${base} cannot be reached: ${reasonOf(error)}`, todo)]
  }
}

/** What to do about a token that the service refuses, by the status of its answer. */
const remedies: Readonly<Record<number, string>> = {
  401: "the token's audience must be the service's SVC_OIDC_AUDIENCE (its base URL, unless set): set SVC_AUDIENCE to that",
  403: "install the app on this repository; if the service sets SVC_REQUIRED_WORKFLOW_REF, the job's workflow must match",
}

/** Asks for a run that does not exist: a service that accepts the token answers 404, and nothing is changed. */
const examineToken = async (base: string, audience: string, request: TokenRequest): Promise<Finding> => {
  try {
    const bearer = await requestIdToken(request, audience, AbortSignal.timeout(ATTEMPT_MS))
    const { status, body } = await ask(`${base}/v1/runs/${noRun}`, bearer)
    if (status === 404) return token.ok("the service accepts this job's token")
    const error = ErrorBody.safeParse(body)
    const said = error.success ? `: ${error.data.message}` : ''
    return token.fail(
      `the service answers this job's token with ${status}${said}`,
      remedies[status] ?? "look at the service's log",
    )
  } catch (error) {
    return token.fail(`asking for the job's token: ${reasonOf(error)}`, 'run the job again')
  }
}

export type Reaching = {
  url: string | undefined
  audience: string | undefined
  idToken: TokenRequest | undefined
  isActions: boolean
}

const withoutToken = (isActions: boolean): Finding =>
  isActions
    ? token.fail(
        'this job gets no OIDC token, and the service accepts nothing without one',
        'give the job, or its workflow, permissions: id-token: write. A pull request from a fork never gets one',
      )
    : token.skip(
        'a person has no OIDC token: run svc doctor as a step of a job to see whether the service accepts its token',
      )

/** Examines whether the service answers, and whether it accepts this job's token. */
export const examineService = async ({ url, audience, idToken, isActions }: Reaching): Promise<Finding[]> => {
  const unset = idToken === undefined ? [withoutToken(isActions)] : []
  if (url === undefined) {
    const said = "SVC_URL is not set: the service's address"
    const todo = isActions ? 'give the repository a variable SVC_URL, and the workflow env: SVC_URL' : 'give --url'
    return [...unset, isActions ? service.fail(said, todo) : service.skip(said, todo)]
  }
  let base: string
  try {
    base = serviceAddress(url)
  } catch (error) {
    if (error instanceof Problem) return [...unset, service.fail(error.message, 'fix it')]
    throw error
  }
  const health = await examineHealth(base)
  if (idToken === undefined) return [...unset, ...health]
  const isThere = health[0]?.status === 'ok'
  return [
    isThere
      ? await examineToken(base, audience ?? base, idToken)
      : token.skip('not tried, since the service does not answer'),
    ...health,
  ]
}
