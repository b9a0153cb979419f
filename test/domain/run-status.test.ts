import t from 'tap'
import {
  changedByApplyStatuses,
  doneByApplyStatuses,
  isBroken,
  isDone,
  isOpen,
  isUnderWay,
  openApplyStatuses,
  openPlanStatuses,
  openStatuses,
  ranStatuses,
  stackStatuses,
  takesResult,
  underWayStatuses,
  untouchedStatuses,
} from '#domain/run-status.ts'

const listOf = (test: (status: string) => boolean) => stackStatuses.filter((status) => test(status))

const sets: Record<string, { is: readonly string[]; wanted: string }> = {
  open: { is: openStatuses, wanted: 'pending planning applying' },
  'open of a plan': { is: openPlanStatuses, wanted: 'pending planning' },
  'open of an apply': { is: openApplyStatuses, wanted: 'pending applying' },
  'under way': { is: underWayStatuses, wanted: 'planning applying' },
  ran: { is: ranStatuses, wanted: 'planned applied failed unconfirmed noop unknown' },
  untouched: { is: untouchedStatuses, wanted: 'pending superseded blocked skipped' },
  'done by an apply': { is: doneByApplyStatuses, wanted: 'applied noop' },
  'changed by an apply': { is: changedByApplyStatuses, wanted: 'applied failed unconfirmed unknown' },
  'is open': { is: listOf(isOpen), wanted: 'pending planning applying' },
  'is under way': { is: listOf(isUnderWay), wanted: 'planning applying' },
  'is broken': { is: listOf(isBroken), wanted: 'failed unconfirmed unknown' },
  'is done': { is: listOf(isDone), wanted: 'planned applied noop' },
  'takes a result': { is: listOf(takesResult), wanted: 'pending planning applying unknown' },
}

for (const [name, { is, wanted }] of Object.entries(sets)) {
  t.test(`${name}: ${wanted}`, async (t) => t.same(is, wanted.split(' ')))
}

t.test('every status is open, ran, or was never touched', async (t) => {
  const known = new Set([...openStatuses, ...ranStatuses, ...untouchedStatuses])
  t.same([...known].sort(), [...stackStatuses].sort())
})
