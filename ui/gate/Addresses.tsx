import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { readRunText } from '../api/runs.ts'
import { Key } from '../parts/text/Key.tsx'
import { outlineOf, type Resource } from '../plan/outline.ts'
import { looks } from '../plan/sign.ts'

/** Addresses of a stack that are named; its plan has the others. */
const shown = 12

/** Of a plan's text, the resources that it takes away. */
const takenAway = (text: string): Map<string, Resource> =>
  new Map(
    outlineOf(text).sections.flatMap((one) =>
      one.kind === 'resource' && (one.does === 'destroy' || one.does === 'replace') ? [[one.address, one]] : [],
    ),
  )

type AddressesProps = { runId: string; stack: string; addresses: readonly string[]; reads: boolean }

/** What a stack's plan takes away: each resource with the line that says so, if its text is read, and the way there. */
export const Addresses = ({ runId, stack, addresses, reads }: AddressesProps) => {
  // without its text the addresses stand alone, and lead to where the page says why there is none
  const { data: text } = useQuery({
    queryKey: ['gate-plan-text', runId, stack],
    queryFn: ({ signal }) => readRunText(runId, stack, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    enabled: reads,
  })
  const resources = useMemo(() => takenAway(text ?? ''), [text])
  const params = { id: runId, key: stack }
  return (
    <>
      <Key of={stack} /> takes away
      <ul className="gate-addresses">
        {addresses.slice(0, shown).map((address) => {
          const resource = resources.get(address)
          const place = resource === undefined ? { search: { find: address } } : { hash: `L${resource.from + 1}` }
          return (
            <li key={address}>
              <Link to="/runs/$id/stacks/$key" params={params} {...place}>
                <code>{address}</code>
              </Link>
              {resource !== undefined && <span className="quiet"> {lineWords(resource)}</span>}
            </li>
          )
        })}
      </ul>
      {addresses.length > shown && (
        <Link to="/runs/$id/stacks/$key" params={params}>
          and {addresses.length - shown} more in its plan
        </Link>
      )}
    </>
  )
}

/** `destroyed, line 50 · is not in configuration`. */
const lineWords = ({ does, from, why }: Resource): string =>
  [`${looks[does].word}, line ${from + 1}`, why].filter(Boolean).join(' · ')
