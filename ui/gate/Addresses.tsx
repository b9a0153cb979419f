import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { readRunText } from '../api/runs.ts'
import { outlineOf, type Resource } from '../plan/outline.ts'
import { looks } from '../plan/sign.ts'

/** Of a plan's text, the resources that it takes away. */
const takenAway = (text: string): Map<string, Resource> =>
  new Map(
    outlineOf(text).sections.flatMap((one) =>
      one.kind === 'resource' && (one.does === 'destroy' || one.does === 'replace') ? [[one.address, one]] : [],
    ),
  )

type AddressesProps = { runId: string; stack: string; addresses: readonly string[] }

/** Resources of a stack that its plan takes away: each with the line that says so, and the way there. */
export const Addresses = ({ runId, stack, addresses }: AddressesProps) => {
  // without its text the addresses stand alone, and lead to where the page says why there is none
  const { data: text } = useQuery({
    queryKey: ['gate-plan-text', runId, stack],
    queryFn: ({ signal }) => readRunText(runId, stack, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const resources = useMemo(() => takenAway(text ?? ''), [text])
  return (
    <ul className="gate-addresses">
      {addresses.map((address) => {
        const resource = resources.get(address)
        return (
          <li key={address}>
            <Link
              to="/runs/$id/stacks/$key"
              params={{ id: runId, key: stack }}
              {...(resource === undefined ? { search: { find: address } } : { hash: `L${resource.from + 1}` })}
            >
              <code>{address}</code>
            </Link>
            {resource !== undefined && (
              <span className="quiet">
                {' '}
                {[`${looks[resource.does].word}, line ${resource.from + 1}`, resource.why].filter(Boolean).join(' · ')}
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}
