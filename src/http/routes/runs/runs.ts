import { Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'
import { CreateRunRequest, CreateRunResponse } from '#api/runs/create-run.ts'
import { Run, RunQuery } from '#api/runs/run.ts'
import { RunStack } from '#api/runs/run-stack.ts'
import { StackKey, Uuid } from '#api/scalars.ts'
import type { RequestDeps } from '#commands/deps.ts'
import { openRun } from '#commands/jobs/open-run.ts'
import { readPlanText } from '#commands/reads/run/read-plan-text.ts'
import { type ReadRun, readRun } from '#commands/reads/run/read-run.ts'
import type { RowsOfRun } from '#commands/reads/run/rows-of-run.ts'
import type { App } from '#http/app.ts'
import { anyCallerOf, callerOf, readerOf } from '#http/enforce-callers.ts'
import { errorBodies } from '#http/openapi.ts'
import { sendAsIs } from '#http/send-as-is.ts'

/** POST /v1/runs, GET /v1/runs/{id} and the plan text of one of its stacks. */
export const addRunRoutes = (app: App, deps: RequestDeps): void => {
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
        querystring: RunQuery,
        response: { 200: Run, ...errorBodies(400, 403, 404, 409) },
      },
    },
    async (request, reply) => {
      const { run, stacks } = await readRun(deps, anyCallerOf(request), request.params.id, request.query)
      if (!stacks) return reply.send(run)
      const texts = noted(textOf(run, stacks), request.log)
      return sendAsIs(reply.type('application/json; charset=utf-8'), Readable.from(texts))
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
        if (!left.signal.aborted) request.log.warn({ err: error, run: runId, key }, 'a plan text broke off')
      })
      if (bytes !== undefined) reply.header('content-length', bytes)
      return sendAsIs(reply.type('text/plain; charset=utf-8'), body)
    },
  )
}

/**
 * The answer in portions, each checked like any other answer: the run's fields, and its rows last. Nothing is sent before the
 * first portion is there, so an unreachable database is reported as usual; a later failure can only end the connection.
 */
async function* textOf(run: ReadRun['run'], { rows }: RowsOfRun): AsyncGenerator<string> {
  const head = JSON.stringify(Run.parse(run)).slice(0, -1)
  let before = `${head},"stacks":[`
  for await (const some of rows) {
    if (some.length === 0) continue
    yield before + some.map((stack) => JSON.stringify(RunStack.parse(stack))).join(',')
    before = ','
  }
  // without rows the empty list is left out
  yield before === ',' ? ']}' : `${head}}`
}

async function* noted(texts: AsyncIterable<string>, log: FastifyBaseLogger): AsyncGenerator<string> {
  try {
    yield* texts
  } catch (error) {
    log.error({ err: error }, 'a run could not be read to its end')
    throw error
  }
}
