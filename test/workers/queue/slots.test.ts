import t from 'tap'
import type { JobRow } from '#db/queue/jobs.ts'
import { createSlots } from '#workers/queue/slots.ts'

const job = { id: 1, installation_id: 1, lane: null } as JobRow

t.test('a row that is claimed again while its handler is at work does not begin a second time', async (t) => {
  const begun: number[] = []
  const end = Promise.withResolvers<void>()
  const runJob = (_worker: string, { id }: JobRow): Promise<void> => {
    begun.push(id)
    return end.promise
  }
  const slots = createSlots({ worker: 'w', concurrency: 8, runJob, onRoom: () => {}, onStray: () => {} })
  slots.hold([job])
  slots.begin()
  slots.hold([job, { ...job, id: 2 }])
  slots.begin()
  t.same(begun, [1, 2])
  t.same(slots.ids(), [1, 2], 'both leases are renewed')
  end.resolve()
  await slots.ended()
})
