/** A fault that is put into the source on purpose, and what must find it. */
export type PlantedFault = {
  name: string
  /** Where, and which text is replaced by which: it must be there exactly once. */
  file: string
  from: string
  to: string
  /** The test that is the short form of the proof that is there for it. */
  test: string
  /** What that says of it: any other failure does not count. */
  says: RegExp
}

/** One of each kind. */
export const plantedFaults: readonly PlantedFault[] = [
  {
    name: 'dropped lock order',
    file: 'src/db/machines/locks.ts',
    from: 'order by l.stack_id for no key update of l',
    to: 'order by random() for no key update of l',
    test: 'test/runtime/lock-order.test.ts',
    says: /who waits for the fifth has the four before it/,
  },
  {
    name: 'missing dedupe',
    file: 'machines/run-stack.ts',
    from: 'return event.digest === context.digest',
    to: 'return false && event.digest === context.digest',
    test: 'test/fault/walks/walks.test.ts',
    says: /is answered 409 conflict .*where the model says 200/,
  },
  {
    name: 'lost timer',
    file: 'machines/dispatch.ts',
    from: "        params: { name: 'pickup', event: { type: 'runner.lost' }, seconds: patience },",
    to: "        params: { name: 'picked up', event: { type: 'runner.lost' }, seconds: patience },",
    test: 'test/model/walk.test.ts',
    says: /nothing leads its dispatch on/,
  },
  {
    name: 'quadratic expression',
    file: 'src/domain/texts/trim.ts',
    from: '  let end = text.length\n',
    to: "  if (chars === '\\n') return text.replace(/\\n+$/, '')\n  let end = text.length\n",
    test: 'test/fault/texts.test.ts',
    says: /the time of none grows faster than the text/,
  },
  {
    name: 'unfair lane',
    file: 'src/db/queue/claim-jobs.ts',
    from: 'order by place, run_at, id limit $2`',
    to: 'order by run_at, id limit $2`',
    test: 'test/workers/queue/shares.test.ts',
    says: /the installations that wait take turns/,
  },
]
