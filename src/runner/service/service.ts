import type { z } from 'zod'
import { Check, type CheckVerdict } from '#api/runs/check.ts'
import { type CreateRunRequest, CreateRunResponse } from '#api/runs/create-run.ts'
import { ResolveResponse } from '#api/runs/resolve.ts'
import { RunConfig } from '#api/runs/run-config.ts'
import { RunStack } from '#api/runs/run-stack.ts'
import { checkRepoConfig, type RepoConfig } from '#domain/config/config-file.ts'
import { limits } from '#domain/limits.ts'
import type { StackResult } from '#domain/result.ts'
import { trimEndOf } from '#domain/texts/trim.ts'
import { Problem } from '#errors.ts'
import { version } from '../version.ts'
import { contentOf, problemOf } from './answer.ts'
import { type Pace, specifiedPace, withAttempts } from './attempts.ts'
import { exchange } from './exchange.ts'
import { requestIdToken, type TokenRequest } from './id-token.ts'
import { type Resolved, resolvedOf } from './resolved.ts'

/** The service as a job sees it. Every call throws a Problem: the service's own, or `unavailable` if there is none. */
export type Service = {
  openRun(request: CreateRunRequest): Promise<CreateRunResponse>
  /** `body` is the JSON text of a GraphUploadRequest. If the same text is sent again, the service recognises it. */
  uploadGraph(runId: string, body: string): Promise<Resolved>
  reportResult(runId: string, key: string, result: StackResult): Promise<RunStack>
  /** svc.yml of the default branch, as a job may run it. */
  readConfig(runId: string): Promise<RepoConfig>
  postCheck(runId: string, key: string, name: string, verdict: CheckVerdict): Promise<Check>
}

export type ServiceOptions = {
  url: string
  /** Audience of the tokens; the address when left out. */
  audience?: string | undefined
  idToken: TokenRequest
  /** Called before every further attempt. */
  onRetry: (message: string) => void
  pace?: Pace
}

type Request<S extends z.ZodType> = { path: string; body?: string; limit: number; schema: S }

/** Checks the service's address: it is absolute, http or https. Returns it without a slash at its end. */
export const serviceAddress = (text: string): string => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new Problem('invalid', `SVC_URL: '${text}' is not an address such as https://svc.example.com`)
  if (url.username !== '' || url.password !== '')
    throw new Problem('invalid', 'SVC_URL: has a user or a password in it: none is sent, and messages would show it')
  return trimEndOf(text, '/')
}

/** A key as one segment of a path; a dot alone would mean the directory itself. */
export const segment = (text: string): string =>
  encodeURIComponent(text).replace(/^\.{1,2}$/, (dots) => '%2E'.repeat(dots.length))

/** A client of the service at `url`. Every attempt gets its own token: the service accepts none twice. */
export const createService = ({ url, audience, idToken, onRetry, pace = specifiedPace }: ServiceOptions): Service => {
  const base = serviceAddress(url)
  const send = <S extends z.ZodType>({ path, body, limit, schema }: Request<S>): Promise<z.output<S>> => {
    const method = body === undefined ? 'GET' : 'POST'
    const what = `${method} ${base}${path}`
    const bytes = Buffer.byteLength(body ?? '')
    if (bytes > limit)
      throw new Problem('invalid', `${what}: the body has ${bytes} bytes, but the service accepts ${limit}`)
    const attempt = async (signal: AbortSignal): Promise<z.output<S>> => {
      const token = await requestIdToken(idToken, audience ?? base, signal)
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'user-agent': `svc/${version}`,
      }
      const answer = await exchange(base, path, { method, headers, ...(body === undefined ? {} : { body }), signal })
      if (answer.status < 200 || answer.status > 299) throw problemOf(what, answer)
      return contentOf(what, schema, answer)
    }
    return withAttempts(what, attempt, { pace, onRetry })
  }
  const stackPath = (runId: string, key: string): string => `/v1/runs/${segment(runId)}/stacks/${segment(key)}`
  const small = { limit: limits.bodyBytes }
  return {
    openRun: (request) =>
      send({ path: '/v1/runs', body: JSON.stringify(request), schema: CreateRunResponse, ...small }),
    uploadGraph: async (runId, body) => {
      const path = `/v1/runs/${segment(runId)}/graph`
      return resolvedOf(await send({ path, body, schema: ResolveResponse, limit: limits.graphBodyBytes }))
    },
    reportResult: (runId, key, result) =>
      send({ path: `${stackPath(runId, key)}/result`, body: JSON.stringify(result), schema: RunStack, ...small }),
    readConfig: async (runId) => {
      const path = `/v1/runs/${segment(runId)}/config`
      const { config } = await send({ path, schema: RunConfig, ...small })
      const checked = checkRepoConfig(config)
      if (checked.ok) return checked.config
      throw new Problem('invalid', `GET ${base}${path}: the answer is not a configuration that this client knows`)
    },
    postCheck: (runId, key, name, verdict) =>
      send({
        path: `${stackPath(runId, key)}/checks/${segment(name)}`,
        body: JSON.stringify(verdict),
        schema: Check,
        ...small,
      }),
  }
}
