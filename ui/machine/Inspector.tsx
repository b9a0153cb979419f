import { type MachineKind, readJournal, readMachine } from '../api/machines.ts'
import { useKeys } from '../keys/registry.ts'
import { useLive } from '../live/useLive.ts'
import { Problem } from '../parts/Problem.tsx'
import { Skeleton } from '../parts/Skeleton.tsx'
import { JournalList } from './JournalList.tsx'
import { MachineNow } from './MachineNow.tsx'
import '../parts/panel.css'
import './machine.css'

type InspectorProps = {
  kind: MachineKind
  id: string
  /** The transition after which it is shown; the newest without it. */
  seq: number | undefined
  choose(seq: number | undefined): void
}

/** One machine: its state at a moment, what it accepted and waited for then, and the journal that leads there. */
export const Inspector = ({ kind, id, seq, choose }: InspectorProps) => {
  const machine = useLive({
    key: ['machine', kind, id, seq ?? -1],
    read: (signal) => readMachine({ kind, id, seq }, signal),
    pace: 'list',
  })
  const journal = useLive({
    key: ['journal', kind, id],
    read: (signal) => readJournal({ kind, id }, signal),
    pace: 'list',
  })
  const newest = journal.data?.items[0]?.seq
  const at = seq ?? newest
  const step = (by: number): void => {
    if (at === undefined || newest === undefined) return
    const next = Math.max(0, at + by)
    choose(next >= newest ? undefined : next)
  }
  useKeys([
    { keys: '[', does: 'Journal entry before', act: () => step(-1) },
    { keys: ']', does: 'Journal entry after', act: () => step(1) },
  ])
  return (
    <div className="machine">
      <section className="box">
        <h2>{seq === undefined ? 'As it is now' : `As it was after entry ${seq}`}</h2>
        {machine.problem && (
          <Problem problem={machine.problem} what="The machine could not be read" tryAgain={machine.liveness.tryNow} />
        )}
        {machine.data ? (
          <MachineNow machine={machine.data} isPast={seq !== undefined} />
        ) : (
          !machine.problem && <Skeleton />
        )}
      </section>
      <section className="box">
        <h2>Journal</h2>
        {journal.problem && (
          <Problem problem={journal.problem} what="The journal could not be read" tryAgain={journal.liveness.tryNow} />
        )}
        {journal.data ? (
          <JournalList
            entries={journal.data.items}
            more={journal.data.next_cursor !== undefined}
            chosen={at}
            choose={(chosen) => choose(chosen === newest ? undefined : chosen)}
          />
        ) : (
          !journal.problem && <Skeleton />
        )}
      </section>
    </div>
  )
}
