import type { Gate } from '../api/gate.ts'
import { Copy } from '../parts/Copy.tsx'
import { Time } from '../parts/Time.tsx'
import { StatusIconOf } from '../status/Status.tsx'
import { looks } from '../status/table.ts'
import { layerWords, verdictSentence } from './verdict-words.ts'
import '../parts/panel.css'
import './gate.css'

/** The gate as a checklist in its own order: the verdict, what it was decided from, and what to do. */
export const Checklist = ({ gate }: { gate: Gate }) => (
  <section className="box gate">
    <h2>
      <StatusIconOf look={looks.verdict[gate.allowed ? 'pass' : 'fail']} /> {verdictSentence(gate)}
    </h2>
    <div className="box-rest">
      <Whose gate={gate} />
      {gate.allowed && gate.decided_at === undefined && gate.comment !== undefined && (
        <p className="gate-comment">
          To apply it, comment <code>{gate.comment}</code> <Copy text={gate.comment} what="the comment" label="Copy" />
        </p>
      )}
    </div>
    <ol className="gate-layers">
      {gate.facts.map((layer) => (
        <LayerItem key={layer.layer} layer={layer} />
      ))}
    </ol>
  </section>
)

const Whose = ({ gate: { asked_by, decided_at } }: { gate: Gate }) => {
  if (decided_at !== undefined) {
    return (
      <p className="quiet">
        As the gate found it <Time at={decided_at} as="moment" />
        {asked_by !== undefined && `, when ${asked_by} asked`}.
      </p>
    )
  }
  return <p className="quiet">{asked_by === undefined ? 'As it is now.' : `As it is now, if ${asked_by} asks.`}</p>
}

const LayerItem = ({ layer }: { layer: Gate['facts'][number] }) => (
  <li data-quiet={layer.verdict === 'off' ? true : undefined}>
    <span className="gate-verdict">
      <StatusIconOf look={looks.verdict[layer.verdict]} title={looks.verdict[layer.verdict].word} />
    </span>
    <div className="gate-layer">
      <h3>{layerWords[layer.layer]}</h3>
      <p>{layer.summary}</p>
      {layer.evidence.length > 0 && (
        <ul className="gate-evidence">
          {layer.evidence.map(({ text, holds }) => (
            <li key={text}>
              <StatusIconOf
                look={looks.verdict[holds ? 'pass' : 'fail']}
                title={holds ? 'supports it' : 'speaks against it'}
              />
              <span>{text}</span>
            </li>
          ))}
        </ul>
      )}
      {layer.next !== undefined && <p className="gate-next">{layer.next}</p>}
    </div>
  </li>
)
