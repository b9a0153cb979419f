import { Link } from '@tanstack/react-router'
import { many } from '../../parts/words.ts'
import { looks } from '../../plan/sign.ts'
import { Status } from '../../status/Status.tsx'
import { stackLook } from '../../status/table.ts'
import type { Line } from './changes.ts'

type ChangeLineProps = { line: Line; runId: string; mode: 'plan' | 'apply' | 'drift' }

/** A way of changing, a stack, or a resource, which leads to where the plan says what is done with it. */
export const ChangeLine = ({ line, runId, mode }: ChangeLineProps) => {
  const look = looks[line.doing]
  if (line.is === 'doing') {
    return (
      <li className="change-doing">
        <h3>
          <span className="change-sign" data-does={look.tone} aria-hidden="true">
            {look.sign}
          </span>
          {look.heading(line.total)}
        </h3>
        <span className="quiet small">in {many(line.stacks, 'stack')}</span>
      </li>
    )
  }
  const { row } = line
  const to = { to: '/runs/$id/stacks/$key', params: { id: runId, key: row.key } } as const
  if (line.is === 'stack') {
    return (
      <li className="change-stack">
        <Link {...to}>{row.key}</Link>
        <Status look={stackLook(row.status, mode)} />
        <span className="quiet small">{line.total}</span>
      </li>
    )
  }
  if (line.is === 'unlisted') {
    return (
      <li className="change-address quiet">
        and {line.count} more that are not listed: <Link {...to}>read its plan</Link>
      </li>
    )
  }
  return (
    <li className="change-address">
      <span className="change-sign" data-does={look.tone} aria-hidden="true">
        {look.sign}
      </span>
      <Link {...to} search={{ find: line.address }} className="mono" title={line.address}>
        <bdi>{line.address}</bdi>
      </Link>
    </li>
  )
}
