import type { Machine } from '../api/machines.ts'
import { Time } from '../parts/text/Time.tsx'
import { type Chart, chartOf } from './chart/chart.ts'
import { leadsWords } from './chart/standing.ts'
import { stateName } from './state-name.ts'

/** What a machine accepts and waits for at one moment, and what it remembers. */
export const MachineFacts = ({ machine, isPast }: { machine: Machine; isPast: boolean }) => (
  <>
    <dl className="machine-now">
      <div>
        <dt>{isPast ? 'Accepted then' : 'Accepts now'}</dt>
        <Accepted events={machine.events} chart={chartOf(machine.kind)} present={stateName(machine.value)} />
      </div>
      <div>
        <dt>{isPast ? 'Waited for then' : 'Waits for'}</dt>
        <Timers timers={machine.timers} />
      </div>
    </dl>
    <details className="machine-context">
      <summary>What it remembers</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <pre tabIndex={0}>{JSON.stringify(machine.context, null, 2)}</pre>
    </details>
  </>
)

type AcceptedProps = { events: readonly string[]; chart: Chart; present: string }

const Accepted = ({ events, chart, present }: AcceptedProps) => {
  if (events.length === 0) return <dd className="quiet">No event: nothing changes it any more.</dd>
  return events.map((event) => (
    <dd key={event}>
      <code>{event}</code> <Leads to={leadsWords(chart, present, event)} />
    </dd>
  ))
}

const Leads = ({ to }: { to: string | undefined }) => (
  <span className="quiet small">{to === undefined ? 'stays' : `→ ${to}`}</span>
)

const Timers = ({ timers }: { timers: Machine['timers'] }) => {
  if (timers.length === 0) return <dd className="quiet">No timer is set.</dd>
  return timers.map(({ name, event, due_at }) => (
    <dd key={name}>
      <strong>
        <Time at={due_at} as="distance" />
      </strong>{' '}
      <code>{event}</code>{' '}
      <span className="quiet small">
        at <Time at={due_at} as="moment" focusable={false} />
      </span>
    </dd>
  ))
}
