import type { JournalEntry, Machine } from '../api/machines.ts'
import { Time } from '../parts/text/Time.tsx'
import { ChartView } from './chart/ChartView.tsx'
import { chartOf } from './chart/chart.ts'
import { standingOf } from './chart/standing.ts'
import { stateName } from './state-name.ts'

type MachineNowProps = { machine: Machine; entries: readonly JournalEntry[] }

/** Where a machine is at one moment. */
export const MachineNow = ({ machine, entries }: MachineNowProps) => {
  const chart = chartOf(machine.kind)
  const present = stateName(machine.value)
  return (
    <>
      <p className="machine-state">
        <code>{present}</code>{' '}
        <span className="quiet small">
          since <Time at={machine.updated_at} as="moment" />
        </span>
      </p>
      <ChartView chart={chart} standing={standingOf(chart, { present, entries, at: machine.seq })} />
    </>
  )
}
