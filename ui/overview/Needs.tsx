import { Link } from '@tanstack/react-router'
import type { Overview } from '../api/overview.ts'
import { Prose } from '../parts/text/Prose.tsx'
import { Time } from '../parts/text/Time.tsx'
import { many } from '../parts/words.ts'
import { brokenStatuses } from '../status/phases.ts'
import { StatusIconOf } from '../status/Status.tsx'
import { needsOf, totalOf } from './needs.ts'
import '../parts/attention.css'

/** What needs somebody, above everything else; that nothing does is a result too. */
export const Needs = ({ attention }: { attention: Overview['attention'] }) => {
  const needs = needsOf(attention)
  const total = totalOf(attention)
  const [first] = needs
  if (!first) return <p className="overview-calm quiet">Nothing needs anybody.</p>
  return (
    <section className="attention" data-tone={first.look.tone} aria-labelledby="needs">
      <h2 id="needs">{many(total, 'thing needs', 'things need')} somebody</h2>
      <ul>
        {needs.map(({ look, about, text, since, way }) => (
          <li key={`${about}${text}${since}`}>
            <StatusIconOf look={look} />
            <p>
              <strong>{about}</strong>
              <Prose of={text} />
              {since !== undefined && (
                <span className="quiet">
                  , since <Time at={since} as="moment" />
                </span>
              )}
            </p>
            <Link {...way.to} className="button button-small">
              {way.label}
            </Link>
          </li>
        ))}
      </ul>
      {total > needs.length && (
        <p className="attention-ends quiet">
          And {total - needs.length} more.{' '}
          <Link to="/stacks" search={{ apply: [...brokenStatuses], locked: 'true' }}>
            All stacks that an apply left locked and wrong
          </Link>
        </p>
      )}
    </section>
  )
}
