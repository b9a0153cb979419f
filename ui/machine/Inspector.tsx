import { useState } from 'react'
import { type Machine, type MachineKind, readJournal, readMachine } from '../api/machines.ts'
import { useKeys } from '../keys/registry.ts'
import { type Live, useLive } from '../live/useLive.ts'
import { Problem } from '../parts/feedback/Problem.tsx'
import { Skeleton } from '../parts/feedback/Skeleton.tsx'
import { JournalList } from './JournalList.tsx'
import { MachineFacts } from './MachineFacts.tsx'
import { MachineNow } from './MachineNow.tsx'
import { Scrubber } from './Scrubber.tsx'
import '../parts/box.css'
import './machine.css'

type InspectorProps = {
  kind: MachineKind
  id: string
  /** The transition after which it is shown; the newest without it. */
  seq: number | undefined
  choose(seq: number | undefined): void
}

/** One machine: its chart at a moment, what it accepted and waited for then, and the journal that leads there. */
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
  const { shown, of } = useMoment(`${kind} ${id}`, seq, machine)
  const entries = journal.data?.items ?? []
  const newest = entries[0]?.seq
  const at = seq ?? newest ?? machine.data?.seq ?? 0
  useStepKeys({ at, newest, choose })
  return (
    <div className="machine">
      <section className="box">
        <h2>{of === undefined ? 'As it is now' : `As it was after entry ${of}`}</h2>
        {machine.problem && (
          <Problem problem={machine.problem} what="The machine could not be read" tryAgain={machine.liveness.tryNow} />
        )}
        {shown && <MachineNow machine={shown} entries={entries} />}
        {!shown && !machine.problem && <Skeleton />}
        <Scrubber entries={entries.toReversed()} at={at} isPast={seq !== undefined} choose={choose} />
        {shown && <MachineFacts machine={shown} isPast={of !== undefined} />}
      </section>
      <section className="box">
        <h2>Journal</h2>
        {journal.problem && (
          <Problem problem={journal.problem} what="The journal could not be read" tryAgain={journal.liveness.tryNow} />
        )}
        {journal.data ? (
          <JournalList
            entries={entries}
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

type Moment = { shown: Machine | undefined; of: number | undefined }

/** The machine at a moment; at the one before, until it is read: what moves through its moments stays where it is. */
const useMoment = (name: string, seq: number | undefined, { data, problem }: Live<Machine>): Moment => {
  const [last, setLast] = useState({ name, seq, data })
  if (data !== undefined && data !== last.data) setLast({ name, seq, data })
  if (data !== undefined || problem !== undefined || last.name !== name) return { shown: data, of: seq }
  return { shown: last.data, of: last.seq }
}

type Steps = { at: number; newest: number | undefined; choose: InspectorProps['choose'] }

const useStepKeys = ({ at, newest, choose }: Steps): void => {
  const step = (by: number): void => {
    if (newest === undefined) return
    const next = Math.max(0, at + by)
    choose(next >= newest ? undefined : next)
  }
  useKeys([
    { keys: '[', does: 'Journal entry before', act: () => step(-1) },
    { keys: ']', does: 'Journal entry after', act: () => step(1) },
  ])
}
