import { Key } from '../parts/text/Key.tsx'
import { looks } from '../plan/sign.ts'
import { type Does, type DriftGroup, verbs } from './groups.ts'
import { Some } from './Some.tsx'
import '../parts/counts.css'

const Sign = ({ does }: { does: Does }) => (
  <>
    <span className="drift-sign" data-does={looks[does].tone} aria-hidden="true">
      {looks[does].sign}
    </span>
    <span className="unseen">to {verbs[does]}: </span>
  </>
)

type ChangeListProps = { changes: NonNullable<DriftGroup['changes']>; stacks: number }

/** What would be done with each resource, with the sign of the plan in front; what has no address is below. */
export const ChangeList = ({ changes, stacks }: ChangeListProps) => (
  <ul>
    <Some of={changes.lines} shown={8} what="changes" keyOf={({ does, address }) => `${does} ${address}`}>
      {({ does, address }) => (
        <>
          <Sign does={does} />
          <span className="mono">
            <Key of={address} />
          </span>
        </>
      )}
    </Some>
    {changes.unlisted.map(({ does, count }) => (
      <li key={does} className="quiet">
        <Sign does={does} />
        {count} {changes.lines.length > 0 && 'more '}without an address in the report
        {stacks > 1 && ': they may differ by stack'}
      </li>
    ))}
    {changes.others.length > 0 && (
      <li className="quiet">
        <span className="drift-sign" />
        {changes.others.join(', ')}
      </li>
    )}
    {changes.lines.length + changes.unlisted.length + changes.others.length === 0 && (
      <li className="quiet">The plan has changes, and none of them is counted.</li>
    )}
  </ul>
)
