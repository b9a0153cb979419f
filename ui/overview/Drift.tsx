import { Link } from '@tanstack/react-router'
import { readSomeDrifted } from '../api/stacks.ts'
import { type DriftGroup, groupsOf, inShort } from '../drift/groups.ts'
import { useLive } from '../live/useLive.ts'
import { Problem } from '../parts/feedback/Problem.tsx'
import { Time } from '../parts/text/Time.tsx'
import { many } from '../parts/words.ts'
import './oldest-locks.css'

/** As many as there is room for. */
const shown = 3

/** What most stacks have drifted by: it fails and is refreshed by itself. */
export const Drift = ({ drifted }: { drifted: number }) => {
  const { data, problem, liveness } = useLive({
    key: ['drifted', 'some'],
    read: readSomeDrifted,
    pace: 'over',
  })
  const isAll = data?.next_cursor === undefined
  const groups = data && isAll ? groupsOf(data.items) : []
  return (
    <section className="box" aria-labelledby="overview-drift">
      <div className="box-title">
        <h2 id="overview-drift">
          Drift <span className="quiet">{many(drifted, 'stack')}</span>
        </h2>
        <Link to="/drift">All drift</Link>
      </div>
      {problem && <Problem problem={problem} what="Reading what drifted did not work" tryAgain={liveness.tryNow} />}
      {!isAll && <p className="box-rest quiet">These are too many to compare here.</p>}
      <ul className="oldest-locks">
        {groups.slice(0, shown).map((group) => (
          <li key={group.id}>
            <Alike group={group} />
          </li>
        ))}
      </ul>
      {groups.length > shown && (
        <p className="box-rest quiet small">And {many(groups.length - shown, 'other change')}.</p>
      )}
    </section>
  )
}

const Alike = ({ group }: { group: DriftGroup }) => {
  const { stacks, since } = group
  const [first] = stacks
  return (
    <>
      {first && (
        <Link to="/stacks/$id" params={{ id: first.id }}>
          <strong>{first.key}</strong>
        </Link>
      )}
      <span className="quiet small">{since !== undefined && <Time at={since} />}</span>
      <span className="quiet small">
        {first?.repo} · {inShort(group)}
        {stacks.length > 1 && ` in ${stacks.length} stacks`}
      </span>
    </>
  )
}
