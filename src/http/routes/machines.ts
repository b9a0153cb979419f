import { z } from 'zod'
import { JournalEntry, Machine, MachineKind, Statechart } from '#api/machine.ts'
import { optional } from '#api/optional.ts'
import { PageQuery, pageOf } from '#api/page.ts'
import type { RequestDeps } from '#commands/deps.ts'
import { readMachineJournal } from '#commands/reads/read-journal.ts'
import { describeMachine, readMachine } from '#commands/reads/read-machine.ts'
import type { App } from '../app.ts'
import { readerOf } from '../enforce-callers.ts'
import { errorBodies } from '../openapi.ts'

const JournalPage = pageOf(JournalEntry).meta({ id: 'JournalPage', description: 'Transitions in the order asked for' })

const OfMachine = z.object({
  kind: MachineKind,
  id: z
    .string()
    .describe('A UUID: of the run, of the stack of the lock, of the dispatch; for stacks `run_id:stack_id`'),
})

const Moment = z.object({
  seq: optional(
    z
      .string()
      .regex(/^\d{1,9}$/, 'must be the number of a transition')
      .transform(Number),
  ).describe('The machine as it was after this transition, replayed from its journal; as it is now if left out'),
})

const JournalQuery = PageQuery.extend({
  order: optional(z.enum(['asc', 'desc'])).describe('asc: oldest first; newest first unless given'),
})

/** GET /v1/machines/{kind}, one of them, and its journal. */
export const addMachineRoutes = (app: App, deps: RequestDeps): void => {
  app.get(
    '/v1/machines/:kind',
    {
      config: { callers: ['person', 'key'] },
      schema: {
        tags: ['machines'],
        summary: 'A kind of machine as data: states, transitions, guards, actions',
        params: z.object({ kind: MachineKind }),
        response: { 200: Statechart, ...errorBodies(400) },
      },
    },
    async (request, reply) => reply.send(describeMachine(request.params.kind)),
  )

  app.get(
    '/v1/machines/:kind/:id',
    {
      config: { callers: ['person', 'key'] },
      schema: {
        tags: ['machines'],
        summary: 'A machine now, or after a transition: its state, what it remembers, accepts and waits for',
        params: OfMachine,
        querystring: Moment,
        response: { 200: Machine, ...errorBodies(400, 404, 409) },
      },
    },
    async (request, reply) =>
      reply.send(await readMachine(deps, readerOf(request), { ...request.params, ...request.query })),
  )

  app.get(
    '/v1/machines/:kind/:id/journal',
    {
      config: { callers: ['person', 'key'] },
      schema: {
        tags: ['machines'],
        summary: 'How a machine got to its state: who or what sent which event, and what followed',
        params: OfMachine,
        querystring: JournalQuery,
        response: { 200: JournalPage, ...errorBodies(400, 404) },
      },
    },
    async (request, reply) =>
      reply.send(await readMachineJournal(deps, readerOf(request), { ...request.params, ...request.query })),
  )
}
