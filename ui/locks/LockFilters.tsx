import type { Lock } from '../api/locks.ts'
import { Field } from '../list/Field.tsx'
import { Chip, Chips } from '../parts/Chip.tsx'
import { looks } from '../status/table.ts'
import { countsOf } from './board.ts'
import '../list/list.css'
import './locks.css'

type State = Lock['state']

/** What needs somebody first. */
const states: State[] = ['held.orphaned', 'held.changed', 'held.merged', 'held.claimed', 'held.manual']

type LockFiltersProps = {
  locks: readonly Lock[]
  chosen: readonly State[]
  setStates: (states: State[] | undefined) => void
  /** Part of the key of its stack. */
  q: string | undefined
  setWords: (q: string | undefined) => void
  /** Undefined where the page is of one repository. */
  repository?: { name: string | undefined; set: (name: string | undefined) => void; all: readonly string[] }
}

/** Which locks are shown, kept in the address. */
export const LockFilters = ({ locks, chosen, setStates, q, setWords, repository }: LockFiltersProps) => {
  const counts = countsOf(locks)
  const toggle = (state: State): void => {
    const next = chosen.includes(state) ? chosen.filter((one) => one !== state) : [...chosen, state]
    setStates(next.length === 0 ? undefined : next)
  }
  return (
    <div className="list-tools locks-tools">
      <Chips label="Filter by state">
        <Chip isOn={chosen.length === 0} toggle={() => setStates(undefined)} count={locks.length}>
          all
        </Chip>
        {states
          .filter((state) => counts[state] || chosen.includes(state))
          .map((state) => (
            <Chip
              key={state}
              look={looks.lock[state]}
              count={counts[state] ?? 0}
              isOn={chosen.includes(state)}
              toggle={() => toggle(state)}
            >
              {looks.lock[state].word}
            </Chip>
          ))}
      </Chips>
      <div className="fields">
        <Field label="Stack" placeholder="Part of its key" value={q} set={setWords} />
        {repository && (
          <Field
            label="Repository"
            placeholder="owner/name"
            value={repository.name}
            options={repository.all}
            set={repository.set}
          />
        )}
      </div>
    </div>
  )
}
