import type { Gate } from '../api/gate.ts'
import { Icon } from '../parts/Icon.tsx'
import { peopleWords } from './refusals.ts'

/** The fewest people who could let the apply through. */
export const WhoCould = ({ gate }: { gate: Gate }) => {
  const people = peopleWords(gate)
  if (people.length === 0) return null
  return (
    <section className="box" aria-labelledby="gate-could">
      <h3 id="gate-could">Who could let it through</h3>
      <div className="box-rest gate-could">
        <ul>
          {people.map((words) => (
            <li key={words}>
              <Icon name="check" />
              {words}
            </li>
          ))}
        </ul>
        <p className="quiet small">The fewest, as far as they are known; what they cannot take away is not counted.</p>
      </div>
    </section>
  )
}
