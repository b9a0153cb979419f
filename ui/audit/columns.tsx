import { Link } from '@tanstack/react-router'
import type { AuditEntry } from '../api/audit.ts'
import { PullLink } from '../parts/PullLink.tsx'
import { Time } from '../parts/text/Time.tsx'
import type { Column } from '../table/column.ts'
import { detailLine, didWords, pullOf, stackOf, targetOf } from './audit-words.ts'

/** What an entry is about, with the way to it. */
export const About = ({ entry, tabIndex }: { entry: AuditEntry; tabIndex?: number }) => {
  const target = targetOf(entry.target)
  const pr = pullOf(entry)
  const stack = stackOf(entry)
  if ('name' in target) return target.name
  const { owner, repo, key } = target
  return (
    <>
      {stack === undefined ? (
        <Link to="/repos/$owner/$repo" params={{ owner, repo }} search={{ q: key }} tabIndex={tabIndex}>
          {key ?? `${owner}/${repo}`}
        </Link>
      ) : (
        <Link to="/stacks/$id" params={{ id: stack }} tabIndex={tabIndex}>
          {key}
        </Link>
      )}
      {key !== undefined && <span className="quiet small"> {`${owner}/${repo}`}</span>}
      {pr !== undefined && (
        <>
          {' '}
          <PullLink of={`${owner}/${repo}`} pr={pr} tabIndex={tabIndex} />
        </>
      )}
    </>
  )
}

/** What is said of each entry. */
export const columns: Column<AuditEntry>[] = [
  {
    id: 'at',
    head: 'When',
    className: 'audit-at no-phone',
    cell: ({ at }) => <Time at={at} as="moment" focusable={false} />,
  },
  {
    id: 'did',
    head: 'Who did what',
    className: 'audit-did',
    cell: ({ at, actor, action, target, details }) => (
      <>
        <strong>{actor}</strong> {didWords({ action, details })}
        <span className="second">
          <Time at={at} as="moment" focusable={false} />, {target}
        </span>
      </>
    ),
  },
  {
    id: 'target',
    head: 'About',
    className: 'audit-target no-phone',
    cell: (entry) => <About entry={entry} tabIndex={-1} />,
  },
  {
    id: 'details',
    head: 'Details',
    className: 'no-phone',
    cell: (entry) => <span className="quiet">{detailLine(entry)}</span>,
  },
]
