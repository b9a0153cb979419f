import type { Gate } from '../api/gate.ts'
import { Time } from '../parts/text/Time.tsx'
import { StatusIconOf } from '../status/Status.tsx'
import { looks } from '../status/table.ts'
import { ByRule } from './ByRule.tsx'
import { Layer } from './Layer.tsx'
import { LetsThrough } from './LetsThrough.tsx'
import { Opens } from './Opens.tsx'
import { opensAt } from './refusals.ts'
import { tallySentence, verdictSentence } from './verdict-words.ts'
import { WhoCould } from './WhoCould.tsx'
import '../parts/box.css'
import './gate.css'

/** The gate: its verdict, what it asks in its own order with what it was decided from, and what it lets through. */
export const Checklist = ({ runId, gate }: { runId: string; gate: Gate }) => {
  const opens = opensAt(gate)
  const look = looks.verdict[gate.allowed ? 'pass' : 'fail']
  return (
    <div className="gate">
      <header className="gate-head">
        <h2 data-tone={look.tone}>
          <StatusIconOf look={look} />
          {verdictSentence(gate)}
        </h2>
        <Whose gate={gate} />
        {opens !== undefined && gate.decided_at === undefined && <Opens at={opens} />}
      </header>
      <div className="gate-parts">
        <ByRule failures={gate.failures} />
        <div className="gate-beside">
          <WhoCould gate={gate} />
          <LetsThrough gate={gate} />
        </div>
        <section className="box" aria-labelledby="gate-layers">
          <h3 id="gate-layers">
            What the gate {gate.decided_at === undefined ? 'asks' : 'asked'}, in its order{' '}
            <span className="quiet">{tallySentence(gate)}</span>
          </h3>
          <ol className="gate-layers">
            {gate.facts.map((layer) => (
              <Layer key={layer.layer} layer={layer} runId={runId} />
            ))}
          </ol>
        </section>
      </div>
    </div>
  )
}

const Whose = ({ gate: { asked_by, decided_at } }: { gate: Gate }) => {
  if (decided_at !== undefined) {
    return (
      <p className="quiet small">
        As it was found at <Time at={decided_at} as="moment" />
        {asked_by !== undefined && `, when ${asked_by} asked`}
      </p>
    )
  }
  return <p className="quiet small">{asked_by === undefined ? 'As it is now' : `As it is now, if ${asked_by} asks`}</p>
}
