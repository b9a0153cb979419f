import type { Machine } from '../api/machines.ts'
import { Time } from '../parts/Time.tsx'
import { stateName } from './state-name.ts'

/** A machine at one moment. */
export const MachineNow = ({ machine, isPast }: { machine: Machine; isPast: boolean }) => (
  <dl className="machine-now">
    <dt>State</dt>
    <dd>
      <code>{stateName(machine.value)}</code>{' '}
      <span className="quiet small">
        since <Time at={machine.updated_at} as="moment" />
      </span>
    </dd>
    <dt>{isPast ? 'Accepted then' : 'Accepts now'}</dt>
    <dd>
      {machine.events.length === 0 ? (
        <span className="quiet">No event: nothing changes it any more.</span>
      ) : (
        <ul className="machine-events">
          {machine.events.map((event) => (
            <li key={event}>
              <code>{event}</code>
            </li>
          ))}
        </ul>
      )}
    </dd>
    <dt>{isPast ? 'Waited for then' : 'Waits for'}</dt>
    <dd>
      {machine.timers.length === 0 ? (
        <span className="quiet">No timer is set.</span>
      ) : (
        <ul className="machine-events">
          {machine.timers.map(({ name, event, due_at }) => (
            <li key={name}>
              <code>{event}</code> <Time at={due_at} as="moment" />
            </li>
          ))}
        </ul>
      )}
    </dd>
    <dt>Remembers</dt>
    <dd>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <pre className="machine-context" tabIndex={0}>
        {JSON.stringify(machine.context, null, 2)}
      </pre>
    </dd>
  </dl>
)
