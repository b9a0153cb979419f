import { Readable } from 'node:stream'
import { z } from 'zod'
import { CreateRunRequest, CreateRunResponse } from '#api/create-run.ts'
import { Run } from '#api/run.ts'
import { RunStack } from '#api/run-stack.ts'
import { StackKey, Uuid } from '#api/scalars.ts'
import type { Deps } from '#commands/deps.ts'
import { openRun } from '#commands/open-run.ts'
import { readPlanText } from '#commands/read-plan-text.ts'
import { type ReadRun, readRun } from '#commands/read-run.ts'
import type { App } from '../app.ts'
import { anyCallerOf, callerOf, readerOf } from '../enforce-callers.ts'
import { errorBodies } from '../openapi.ts'

/** POST /v1/runs, GET /v1/runs/{id} and the plan text of one of its stacks. */
export const addRunRoutes = (app: App, deps: Deps): void => {
  app.post(
    '/v1/runs',
    {
      config: { callers: ['runner', 'key'] },
      schema: {
        tags: ['runs'],
        summary: 'Find or create the run that a job belongs to, or start a manual run',
        body: CreateRunRequest,
        response: { 200: CreateRunResponse, 201: CreateRunResponse, ...errorBodies(400, 403, 404, 409, 413, 423) },
      },
    },
    async (request, reply) => {
      const { run, existing } = await openRun(deps, callerOf(request), request.body, request.id)
      const body = { run_id: run.id, status: run.status, existing, run }
      return reply.code(existing ? 200 : 201).send(body)
    },
  )

  app.get(
    '/v1/runs/:id',
    {
      config: { callers: ['runner', 'person', 'key'] },
      schema: {
        tags: ['runs'],
        summary: 'A run with its stacks',
        params: z.object({ id: Uuid }),
        response: { 200: Run, ...errorBodies(400, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const texts = textOf(await readRun(deps, anyCallerOf(request), request.params.id))
      return reply.type('application/json; charset=utf-8').send(Readable.from(noted(texts, deps.log)) as never)
    },
  )

  app.get(
    '/v1/runs/:id/stacks/:key/plan',
    {
      config: { callers: ['person', 'key'] },
      schema: {
        tags: ['runs'],
        summary: 'The full plan text of a stack whose row has a plan_url',
        params: z.object({ id: Uuid, key: StackKey }),
        response: { 200: z.string(), ...errorBodies(400, 404) },
      },
    },
    async (request, reply) => {
      const left = new AbortController()
      reply.raw.once('close', () => left.abort())
      const { id: runId, key } = request.params
      const { body, bytes } = await readPlanText(deps, readerOf(request), { runId, key, signal: left.signal })
      body.once('error', (error) => {
        if (!left.signal.aborted) deps.log.warn({ err: error, run: runId, key }, 'a plan text broke off')
      })
      if (bytes !== undefined) reply.header('content-length', bytes)
      return reply.type('text/plain; charset=utf-8').send(body as never)
    },
  )
}

/**
 * The answer in portions, each checked like any other answer: the run's fields, and its rows as the last of them. Nothing of
 * it leaves before the first portion is there, so that a database that cannot be reached is told as usual; what breaks off
 * later can only end the connection.
 */
async function* textOf({ run, stacks }: ReadRun): AsyncGenerator<string> {
  let before = `${JSON.stringify(Run.parse(run)).slice(0, -1)},"stacks":[`
  for await (const some of stacks) {
    if (some.length === 0) continue
    yield before + some.map((stack) => JSON.stringify(RunStack.parse(stack))).join(',')
    before = ','
  }
  yield before === ',' ? ']}' : `${before}]}`
}

async function* noted(texts: AsyncIterable<string>, log: Deps['log']): AsyncGenerator<string> {
  try {
    yield* texts
  } catch (error) {
    log.error({ err: error }, 'a run could not be read to its end')
    throw error
  }
}
