import { Link } from '@tanstack/react-router'
import type { Gate } from '../api/gate.ts'
import { Icon } from '../parts/Icon.tsx'
import { Copy } from '../parts/text/Copy.tsx'
import { Prose } from '../parts/text/Prose.tsx'
import { StatusIconOf } from '../status/Status.tsx'
import { looks } from '../status/table.ts'
import { Addresses } from './Addresses.tsx'
import { commandIn, layerWords } from './verdict-words.ts'

type LayerFacts = Gate['facts'][number]

/** What one layer asks, what it found, and what to do where it refuses. */
export const Layer = ({ layer, runId }: { layer: LayerFacts; runId: string }) => {
  const { verdict, summary, evidence, next } = layer
  const look = looks.verdict[verdict]
  return (
    <li data-verdict={verdict} data-tone={look.tone}>
      <StatusIconOf look={look} />
      <div className="gate-name">
        <h4>{layerWords[layer.layer]}</h4>
        <p className={verdict === 'pass' ? 'unseen' : 'gate-verdict'}>{look.word}</p>
      </div>
      <div className="gate-found">
        <p className="gate-summary">
          <Prose of={summary} />
        </p>
        {evidence.length > 0 && (
          <ul className="gate-evidence">
            {evidence.map((one, at) => (
              <Evidence key={one.text} evidence={one} runId={one.run_id ?? runId} reads={at < plansRead} />
            ))}
          </ul>
        )}
        {next !== undefined && <Next layer={layer} next={next} />}
      </div>
    </li>
  )
}

/** A text of 256 KB takes some 60 ms to read: the lines of the first few plans are shown, of the others the way there. */
const plansRead = 5

type EvidenceProps = { evidence: LayerFacts['evidence'][number]; runId: string; reads: boolean }

const Evidence = ({ evidence, runId, reads }: EvidenceProps) => {
  const { text, holds, stacks: [stack] = [], addresses = [] } = evidence
  return (
    <li data-tone={holds ? 'applied' : 'failed'}>
      <Icon name={holds ? 'check' : 'close'} />
      <span className="unseen">{holds ? 'supports it: ' : 'speaks against it: '}</span>
      <div>
        {stack === undefined || addresses.length === 0 ? (
          <Prose of={text} />
        ) : (
          <Addresses {...{ runId, stack, addresses, reads }} />
        )}
      </div>
    </li>
  )
}

/** What to do now, with the one thing on the page that does it: the run that is in the way, or the comment to type. */
const Next = ({ layer: { evidence }, next }: { layer: LayerFacts; next: string }) => {
  const inTheWay = evidence.find(({ holds, run_id, addresses }) => !holds && run_id !== undefined && !addresses)
  const command = commandIn(next)
  return (
    <div className="gate-next">
      <p>
        <strong>Next:</strong> <Prose of={next} />
      </p>
      {inTheWay?.run_id !== undefined ? (
        <Link to="/runs/$id" params={{ id: inTheWay.run_id }} className="button button-small">
          {inTheWay.pr_number === undefined ? 'Open its run' : `Open the run of #${inTheWay.pr_number}`}
        </Link>
      ) : (
        command !== undefined && <Copy text={command} what="the comment" label={`Copy ${command}`} />
      )}
    </div>
  )
}
