import { z } from 'zod'
import { optional } from '#api/optional.ts'
import { PageQuery, pageOf } from '#api/page.ts'
import { DriftCheck, RunStackRef, StackDetail } from '#api/repositories/stack.ts'
import { StackStatus } from '#api/runs/run-stack.ts'
import { Flag, listOf, Mode, RepoName, Text, Uuid } from '#api/scalars.ts'
import type { RequestDeps } from '#commands/deps.ts'
import { listAllStacks } from '#commands/reads/list-stacks.ts'
import { listStackDrift, listStackRuns, readStack } from '#commands/reads/read-stack.ts'
import { withFilters } from '#commands/shapes/page.ts'
import type { App } from '../app.ts'
import { readerOf } from '../enforce-callers.ts'
import { errorBodies } from '../openapi.ts'
import { reading } from '../reading.ts'
import { StackPage } from './repositories.ts'

const config = { callers: ['person', 'key'] } as const

const HistoryQuery = PageQuery.extend({
  mode: optional(listOf(Mode)).describe('One or several, with commas between'),
})

const HistoryPage = pageOf(RunStackRef).meta({ id: 'StackRunPage', description: 'Runs of a stack, newest first' })

const DriftPage = pageOf(DriftCheck).meta({
  id: 'StackDriftPage',
  description: 'Drift checks of a stack, newest first',
})

const StacksQuery = PageQuery.extend({
  repo: optional(RepoName).describe('owner/name; all repositories without it'),
  q: optional(Text).describe('Is in the key, in any letter case'),
  environment: optional(Text),
  tag: optional(Text).describe('One of its tags'),
  status: optional(listOf(StackStatus)).describe('In the newest run that has it; one or several, with commas between'),
  apply: optional(listOf(StackStatus)).describe(
    'In the newest apply that finished it, whatever was planned since; one or several, with commas between',
  ),
  drifted: optional(Flag).describe('By the newest check that found out anything'),
  locked: optional(Flag),
  behind: optional(Flag).describe('Whether a module that it uses has a newer release than it asks for'),
})

const addStackListRoute = (app: App, deps: RequestDeps): void => {
  app.get(
    '/v1/stacks',
    {
      config,
      schema: {
        tags: ['stacks'],
        summary: 'Stacks of all repositories that the caller sees',
        querystring: StacksQuery,
        response: { 200: StackPage, ...errorBodies(400, 404) },
      },
    },
    async (request, reply) => {
      const page = await reading(deps, request, (from, caller) => listAllStacks(from, caller, request.query))
      return reply.send(withFilters(page, request.query))
    },
  )
}

/** GET /v1/stacks, and of one GET /v1/stacks/{id}, its runs and its drift checks. */
export const addStackRoutes = (app: App, deps: RequestDeps): void => {
  addStackListRoute(app, deps)
  const tags = ['stacks']
  const params = z.object({ id: Uuid })

  app.get(
    '/v1/stacks/:id',
    {
      config,
      schema: {
        tags,
        summary: 'A stack as it is now, even if the default branch no longer has it',
        params,
        response: { 200: StackDetail, ...errorBodies(400, 404) },
      },
    },
    async (request, reply) => {
      const stack = await readStack(deps, readerOf(request), request.params.id)
      return reply.send(stack)
    },
  )

  app.get(
    '/v1/stacks/:id/runs',
    {
      config,
      schema: {
        tags,
        summary: 'What runs did with a stack',
        params,
        querystring: HistoryQuery,
        response: { 200: HistoryPage, ...errorBodies(400, 404) },
      },
    },
    async (request, reply) => {
      const page = await reading(deps, request, (from, caller) =>
        listStackRuns(from, caller, request.params.id, request.query),
      )
      return reply.send(withFilters(page, request.query))
    },
  )

  app.get(
    '/v1/stacks/:id/drift',
    {
      config,
      schema: {
        tags,
        summary: 'What drift checks found of a stack',
        params,
        querystring: PageQuery,
        response: { 200: DriftPage, ...errorBodies(400, 404) },
      },
    },
    async (request, reply) => {
      const page = await reading(deps, request, (from, caller) =>
        listStackDrift(from, caller, request.params.id, request.query),
      )
      return reply.send(page)
    },
  )
}
