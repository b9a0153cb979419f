import { useQueryClient } from '@tanstack/react-query'
import { failures } from './failures.ts'
import { useNow } from './now.ts'

/** From here on a view says that it is not live. */
const failuresThatTell = 3

export type Lost = {
  /** When the first of it went unanswered, by this machine's clock in milliseconds. */
  since: number
  tryNow(): void
}

type Asked = { queryHash: string; state: { data: unknown } }

const isLost = ({ queryHash, state }: Asked): boolean =>
  state.data !== undefined && (failures.of(queryHash)?.inARow ?? 0) >= failuresThatTell

/**
 * What is shown on this page and is not as it stands: any part of it whose question goes unanswered. A part that was never answered says so
 * itself. Undefined where all is live; looked at each second.
 */
export const useLost = (): Lost | undefined => {
  useNow()
  const client = useQueryClient()
  const ofPage = { type: 'active', predicate: isLost } as const
  const lost = client.getQueryCache().findAll(ofPage)
  if (lost.length === 0) return undefined
  return {
    since: Math.min(...lost.map(({ queryHash }) => failures.of(queryHash)?.since ?? Date.now())),
    tryNow: () => void client.refetchQueries(ofPage),
  }
}
