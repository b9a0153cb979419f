import { Link } from '@tanstack/react-router'
import type { StackDetail } from '../api/stacks.ts'
import { Time } from '../parts/text/Time.tsx'
import { StatusIconOf } from '../status/Status.tsx'
import { looks } from '../status/table.ts'
import '../parts/attention.css'

const endings = {
  failed: { says: ' failed here', way: 'See what failed' },
  unknown: { says: ' ended here, and nobody saw how', way: 'See its job' },
  unconfirmed: { says: ' ended here, and nobody saw how', way: 'See its job' },
} as const

const isEnding = (status: string): status is keyof typeof endings => Object.hasOwn(endings, status)

/** That the last apply of a stack went wrong, above all else that is said of it. */
export const StackNeeds = ({ stack: { key, last_apply: apply, lock } }: { stack: StackDetail }) => {
  if (!apply || !isEnding(apply.status)) return null
  const { says, way } = endings[apply.status]
  const look = looks.stack[apply.status]
  return (
    <section className="attention stack-needs" data-tone={look.tone} aria-label="What needs somebody">
      <ul>
        <li>
          <StatusIconOf look={look} />
          <p>
            <strong>
              {apply.pr_number === undefined ? 'A manual apply' : `The apply of #${apply.pr_number}`}
              {says}
            </strong>
            {apply.finished_at !== undefined && (
              <>
                {' at '}
                <Time at={apply.finished_at} as="moment" />
              </>
            )}
            {lock?.run_id === apply.run_id && ', and keeps the lock'}.
          </p>
          <Link to="/runs/$id/stacks/$key" params={{ id: apply.run_id, key }} className="button button-small">
            {way}
          </Link>
        </li>
      </ul>
    </section>
  )
}
