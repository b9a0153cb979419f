import { Link } from '@tanstack/react-router'
import type { StackDetail } from '../api/stacks.ts'
import { Key } from '../parts/text/Key.tsx'
import { Time } from '../parts/text/Time.tsx'
import { sinceOf } from './groups.ts'

/** A stack that drifted: since when, the plan of the check that says so, and its issue. */
export const Drifted = ({ stack }: { stack: StackDetail }) => {
  const { id, key, repo, drift } = stack
  const since = sinceOf(stack)
  return (
    <>
      <Link to="/stacks/$id" params={{ id }} className="row-name">
        <Key of={key} />
      </Link>
      <span className="quiet small drift-about">
        <span>{repo}</span>
        {since !== undefined && (
          <span>
            since <Time at={since} as="moment" />
          </span>
        )}
        {drift && (
          <Link to="/runs/$id/stacks/$key" params={{ id: drift.run_id, key }}>
            Plan<span className="unseen"> of {key}</span>
          </Link>
        )}
        {drift?.issue_url !== undefined && <a href={drift.issue_url}>Issue #{drift.issue_number}</a>}
      </span>
    </>
  )
}
