import { useId } from 'react'
import { Time } from '../parts/text/Time.tsx'
import { many } from '../parts/words.ts'
import { ChangeList } from './ChangeList.tsx'
import { Drifted } from './Drifted.tsx'
import { type DriftGroup, inShort } from './groups.ts'
import { Some } from './Some.tsx'
import '../parts/box.css'
import './drift.css'

/** What changed, and in which stacks. */
export const Group = ({ group }: { group: DriftGroup }) => {
  const { changes, stacks, since } = group
  const id = useId()
  return (
    <section className="box drift-group" aria-labelledby={id}>
      <div className="box-title">
        <h2 id={id}>
          {inShort(group)} <span className="quiet">in {many(stacks.length, 'stack')}</span>
        </h2>
        {stacks.length > 1 && since !== undefined && (
          <span className="quiet small">
            the first since <Time at={since} as="moment" />
          </span>
        )}
      </div>
      <div className="drift-sides">
        <div className="drift-changes">
          {changes ? <ChangeList changes={changes} stacks={stacks.length} /> : <NotKept />}
        </div>
        <ul className="drift-stacks">
          <Some of={stacks} shown={8} what="stacks" keyOf={({ id }) => id}>
            {(stack) => <Drifted stack={stack} />}
          </Some>
        </ul>
      </div>
    </section>
  )
}

const NotKept = () => <p className="quiet">Its check told no summary, or the summary is not kept any more.</p>
