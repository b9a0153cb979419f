import { Link } from '@tanstack/react-router'
import type { StackDetail } from '../../api/repositories.ts'
import { Key } from '../../parts/text/Key.tsx'
import { shortId } from '../../parts/text/short-id.ts'
import { Time } from '../../parts/text/Time.tsx'
import { many } from '../../parts/words.ts'
import { isBroken } from '../../status/phases.ts'
import { Status } from '../../status/Status.tsx'
import { looks } from '../../status/table.ts'
import type { Column } from '../../table/column.ts'
import { furthestBehind, gravity, standingLook, standingOf, standingWord } from './standing.ts'

type Last = StackDetail['last_plan']

const Standing = ({ of }: { of: StackDetail }) => {
  const standing = standingOf(of)
  const look = standingLook(standing)
  return look ? <Status look={look} /> : <span className="quiet">{standingWord(standing)}</span>
}

/** What a run did with it, and when. */
const LastRun = ({ of, stack }: { of: Last; stack: string }) => {
  if (!of) return <span className="quiet">none</span>
  return (
    <>
      <Link to="/runs/$id" params={{ id: of.run_id }} search={{ stack }} tabIndex={-1}>
        {isBroken(of.status) ? <Status look={looks.stack[of.status]} /> : looks.stack[of.status].word}
        {of.pr_number !== undefined && ` in #${of.pr_number}`}
      </Link>
      {of.finished_at !== undefined && (
        <span className="quiet small">
          {' '}
          <Time at={of.finished_at} focusable={false} />
        </span>
      )}
    </>
  )
}

const Drift = ({ of: { drift } }: { of: StackDetail }) => {
  if (!drift) return <span className="quiet">not checked</span>
  return (
    <>
      {drift.drifted ? <Status look={looks.drifted} /> : 'none'}{' '}
      <span className="quiet small">
        <Time at={drift.checked_at} focusable={false} />
      </span>
    </>
  )
}

const Lock = ({ of: { lock } }: { of: StackDetail }) => {
  if (!lock) return <span className="quiet">free</span>
  if (lock.run_id === undefined) return 'held'
  return (
    <Link to="/runs/$id" params={{ id: lock.run_id }} search={{ stack: lock.stack_key }} tabIndex={-1}>
      {lock.pr_number === undefined ? `run ${shortId(lock.run_id)}` : `#${lock.pr_number}`}
    </Link>
  )
}

/** What is below the key of a stack on a phone. */
const inShort = ({ lock, drift, environment, ...stack }: StackDetail): string => {
  const behind = furthestBehind(stack)
  const parts = [
    environment,
    lock && (lock.pr_number === undefined ? 'locked' : `locked by #${lock.pr_number}`),
    drift?.drifted ? 'drifted' : undefined,
    behind === undefined ? undefined : `${behind} behind`,
  ]
  return parts.filter((part) => part !== undefined).join(', ') || 'free'
}

/** What is said of each stack of a repository. */
export const columns: Column<StackDetail>[] = [
  {
    id: 'stack',
    head: 'Stack',
    className: 'wide',
    sortBy: ({ key }) => key,
    cell: (stack) => (
      <>
        <Link to="/stacks/$id" params={{ id: stack.id }} tabIndex={-1} className="row-name">
          <Key of={stack.key} />
        </Link>
        {stack.environment !== undefined && <span className="quiet small no-phone"> {stack.environment}</span>}
        <span className="second">{inShort(stack)}</span>
      </>
    ),
  },
  {
    id: 'status',
    head: 'Status',
    sortBy: (stack) => gravity(standingOf(stack)),
    cell: (stack) => <Standing of={stack} />,
  },
  {
    id: 'apply',
    head: 'Last apply',
    className: 'no-phone',
    sortBy: ({ last_apply: last }) => last?.finished_at,
    cell: ({ last_apply: last, key }) => <LastRun of={last} stack={key} />,
  },
  {
    id: 'plan',
    head: 'Last plan',
    className: 'no-phone',
    sortBy: ({ last_plan: last }) => last?.finished_at,
    cell: ({ last_plan: last, key }) => <LastRun of={last} stack={key} />,
  },
  {
    id: 'drift',
    head: 'Drift',
    className: 'no-phone',
    sortBy: ({ drift }) => drift?.checked_at,
    cell: (stack) => <Drift of={stack} />,
  },
  {
    id: 'lock',
    head: 'Lock',
    className: 'no-phone',
    sortBy: ({ lock }) => lock?.taken_at,
    cell: (stack) => <Lock of={stack} />,
  },
  {
    id: 'modules',
    head: 'Modules',
    className: 'number no-phone',
    sortBy: furthestBehind,
    cell: (stack) => {
      const behind = furthestBehind(stack)
      if (behind !== undefined) return `${behind} behind`
      return <span className="quiet">{stack.modules ? many(stack.modules.length, 'module') : 'none'}</span>
    },
  },
]
