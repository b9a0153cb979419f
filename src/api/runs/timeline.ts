import { z } from 'zod'
import { MachineKind } from '../machine.ts'
import { optional } from '../optional.ts'
import { PageQuery, pageOf } from '../page.ts'
import { Timestamp } from '../scalars.ts'

const Entry = z
  .object({
    kind: MachineKind,
    id: z.string().describe('Of the machine, as in its address'),
    key: z.string().optional().describe('Of the stack, where it is one of the run or its lock'),
    seq: z.int().describe('In the journal of the machine'),
    at: Timestamp,
    event: z.looseObject({ type: z.string() }).describe('With what it carried'),
    from: z.string().optional().describe('Absent for the first'),
    to: z.string(),
    actor: z.string(),
    cause: z
      .string()
      .optional()
      .describe('Id of the request, delivery or job behind it: what has one cause came of one thing'),
  })
  .meta({ id: 'TimelineEntry', description: 'A transition of a run, or of a stack, dispatch or lock of it' })

export const TimelineQuery = PageQuery.pick({ limit: true }).extend({
  after: optional(z.string()).describe("An answer's next_cursor, or its after"),
})

export const TimelinePage = pageOf(Entry)
  .omit({ total: true })
  .extend({
    after: z.string().optional().describe('Where to go on later; entries of the last five seconds come again then'),
  })
  .meta({ id: 'TimelinePage', description: 'What happened to a run, oldest first' })

export type TimelineEntry = z.infer<typeof Entry>
export type TimelinePage = z.infer<typeof TimelinePage>
