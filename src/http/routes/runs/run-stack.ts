import { z } from 'zod'
import { RunQuery } from '#api/runs/run.ts'
import { RunStack } from '#api/runs/run-stack.ts'
import { StackKey, Uuid } from '#api/scalars.ts'
import type { RequestDeps } from '#commands/deps.ts'
import { readRunStack } from '#commands/reads/run/read-run-stack.ts'
import { readRunText } from '#commands/reads/run/read-run-text.ts'
import type { App } from '#http/app.ts'
import { readerOf } from '#http/enforce-callers.ts'
import { errorBodies } from '#http/openapi.ts'
import { sendAsIs } from '#http/send-as-is.ts'

const params = z.object({ id: Uuid, key: StackKey })

/** GET /v1/runs/{id}/stacks/{key}, and its plan text. */
export const addRunStackRoutes = (app: App, deps: RequestDeps): void => {
  app.get(
    '/v1/runs/:id/stacks/:key',
    {
      config: { callers: ['person', 'key'] },
      schema: {
        tags: ['runs'],
        summary: 'One row of a run, with who waits for its lock',
        params,
        querystring: RunQuery.pick({ text: true }),
        response: { 200: RunStack, ...errorBodies(400, 404) },
      },
    },
    async (request, reply) => {
      const { id: runId, key } = request.params
      return reply.send(await readRunStack(deps, readerOf(request), { runId, key, ...request.query }))
    },
  )

  app.get(
    '/v1/runs/:id/stacks/:key/text',
    {
      config: { callers: ['person', 'key'] },
      schema: {
        tags: ['runs'],
        summary: 'The whole plan text of a stack, wherever it is kept; its ETag is the hash of the text',
        params,
        response: {
          200: z.string(),
          304: z.null().describe('If-None-Match names the text'),
          ...errorBodies(400, 404),
        },
      },
    },
    async (request, reply) => {
      const left = new AbortController()
      reply.raw.once('close', () => left.abort())
      const { id: runId, key } = request.params
      const isKnown = (hash: string): boolean => isNamed(request.headers['if-none-match'], hash)
      const found = await readRunText(deps, readerOf(request), { runId, key, signal: left.signal, isKnown })
      if (found === 'known') return reply.code(304).send(null)
      const { hash, body, bytes } = found
      if (typeof body !== 'string') {
        body.once('error', (error) => {
          if (!left.signal.aborted) request.log.warn({ err: error, run: runId, key }, 'a plan text broke off')
        })
      }
      if (hash !== null) reply.header('etag', `"${hash}"`)
      if (bytes !== undefined) reply.header('content-length', bytes)
      return sendAsIs(reply.type('text/plain; charset=utf-8'), body)
    },
  )
}

/** If-None-Match lists tags, each maybe weak, since a proxy may have compressed the answer (RFC 9110, 13.1.2). */
const isNamed = (ifNoneMatch: string | undefined, hash: string): boolean =>
  (ifNoneMatch ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === `"${hash}"`)
