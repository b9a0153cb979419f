import { Prose } from '../parts/text/Prose.tsx'
import { byRule, couldWords, type Failure, type Refusals } from './refusals.ts'
import { layerWords } from './verdict-words.ts'

/** What is in the way, by the rule of svc.yml that asks for it. Without rules the layers say as much. */
export const ByRule = ({ failures }: { failures: readonly Failure[] }) => {
  if (!failures.some(({ rule }) => rule !== undefined)) return null
  return (
    <section className="box gate-rules" aria-labelledby="gate-rules">
      <h3 id="gate-rules">What is in the way, by rule</h3>
      {byRule(failures).map((group) => (
        <Rule key={group.place ?? ''} group={group} />
      ))}
    </section>
  )
}

const Rule = ({ group: { name, place, failures } }: { group: Refusals }) => (
  <div className="box-rest">
    <h4>
      {name} {place !== undefined && place !== name && <code className="quiet">{place}</code>}
    </h4>
    <ul className="gate-refusals">
      {failures.map((failure) => (
        <li key={`${failure.layer} ${failure.name} ${failure.reason}`}>
          <span className="quiet">{layerWords[failure.layer]}</span>
          <div>
            <Prose of={failure.reason} />
            <Could failure={failure} />
          </div>
        </li>
      ))}
    </ul>
  </div>
)

const Could = ({ failure }: { failure: Failure }) => {
  const words = couldWords(failure)
  return words === undefined ? null : <p className="small">Takes {words}.</p>
}
