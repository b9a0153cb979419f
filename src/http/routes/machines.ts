import { z } from 'zod'
import { JournalEntry, Machine, MachineKind, Statechart } from '#api/machine.ts'
import { PageQuery, pageOf } from '#api/page.ts'
import type { Deps } from '#commands/deps.ts'
import { describeKind } from '#commands/describe-kind.ts'
import { readMachine, readMachineJournal } from '#commands/read-machine.ts'
import type { App } from '../app.ts'
import { readerOf } from '../enforce-callers.ts'
import { errorBodies } from '../openapi.ts'

const JournalPage = pageOf(JournalEntry).meta({ id: 'JournalPage', description: 'Transitions, newest first' })

const OfMachine = z.object({
  kind: MachineKind,
  id: z
    .string()
    .describe('A UUID: of the run, of the stack whose lock it is, of the dispatch; for stacks `run_id:stack_id`'),
})

/** GET /v1/machines/{kind}, one of them, and its journal. */
export const addMachineRoutes = (app: App, deps: Deps): void => {
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
    async (request, reply) => reply.send(describeKind(request.params.kind)),
  )

  app.get(
    '/v1/machines/:kind/:id',
    {
      config: { callers: ['person', 'key'] },
      schema: {
        tags: ['machines'],
        summary: 'A machine as it stands: its state, what it remembers, accepts and waits for',
        params: OfMachine,
        response: { 200: Machine, ...errorBodies(400, 404) },
      },
    },
    async (request, reply) => reply.send(await readMachine(deps, readerOf(request), request.params)),
  )

  app.get(
    '/v1/machines/:kind/:id/journal',
    {
      config: { callers: ['person', 'key'] },
      schema: {
        tags: ['machines'],
        summary: 'How a machine came to be as it is: who or what sent which event, and what followed',
        params: OfMachine,
        querystring: PageQuery,
        response: { 200: JournalPage, ...errorBodies(400, 404) },
      },
    },
    async (request, reply) =>
      reply.send(await readMachineJournal(deps, readerOf(request), { ...request.params, ...request.query })),
  )
}
