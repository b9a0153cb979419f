import type { Gate } from '../api/gate.ts'
import { peopleWords, staysWords } from './refusals.ts'

/** The fewest people who could let the apply through, and what stays in the way whoever they are. */
export const WhoCould = ({ gate }: { gate: Gate }) => {
  const people = peopleWords(gate)
  if (people.length === 0) return null
  const stays = staysWords(gate)
  return (
    <section className="box gate-could" aria-labelledby="gate-could">
      <h3 id="gate-could">Who could let it through</h3>
      <div className="box-rest">
        <ul>
          {people.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
        {stays !== undefined && <p className="quiet small">{stays}</p>}
      </div>
    </section>
  )
}
