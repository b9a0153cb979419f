import { useEffect, useMemo, useRef, useState } from 'react'
import { type Page, type Part, readUpTo } from '../api/page.ts'
import { knownFrom, withoutNew } from './new-rows.ts'
import { type Live, useLive } from './useLive.ts'

type Id = string | number

type Question<T> = {
  /** Names the list with its filters. */
  key: readonly (string | number)[]
  read(part: Part, signal: AbortSignal): Promise<Page<T>>
  idOf(row: T): Id
  enabled?: boolean
}

export type LiveList<T> = Pick<Live<Page<T>>, 'problem' | 'liveness'> & {
  /** The newest page as it was answered: its total and the filters that it went by. Undefined before there is any. */
  page: Page<T> | undefined
  rows: readonly T[]
  /** How many rows have come on top, and are not shown yet. */
  fresh: number
  showFresh(): void
  hasMore: boolean
  isReadingMore: boolean
  showMore(): void
}

/** How many rows are shown at first, and how many more each time. */
const step = 50

type Held = { list: string; wanted: number; known: ReadonlySet<Id> | undefined }

/**
 * A list newest first, asked again in the rhythm of lists. All rows that are shown are read again, so none is silently old; what comes
 * on top is held back until somebody wants it, so nothing moves under a pointer.
 */
export const useLiveList = <T>({ key, read, idOf, enabled = true }: Question<T>): LiveList<T> => {
  const list = JSON.stringify(key)
  const first: Held = { list, wanted: step, known: undefined }
  const [kept, setHeld] = useState<Held>(first)
  const held = kept.list === list ? kept : first
  if (kept !== held) setHeld(held)
  const heldBack = useRef(0)
  const { data, problem, liveness } = useLive({
    key,
    read: (signal) => readUpTo((part) => read(part, signal), held.wanted + heldBack.current),
    pace: 'list',
    enabled,
  })
  const items = data?.items
  // biome-ignore lint/correctness/useExhaustiveDependencies: what names a row stays the same
  const known = useMemo(() => items && knownFrom(items, idOf, held.known), [items, held.known])
  if (known !== held.known && known !== undefined) setHeld({ ...held, known })
  // biome-ignore lint/correctness/useExhaustiveDependencies: what names a row stays the same
  const { shown, fresh } = useMemo(() => withoutNew(items ?? [], idOf, known), [items, known])
  heldBack.current = fresh
  const { tryNow } = liveness
  const isFirst = held.wanted === step
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each step
  useEffect(() => {
    if (!isFirst) tryNow()
  }, [held.wanted, isFirst])
  return {
    ...{ page: data, problem, liveness, rows: shown, fresh },
    showFresh: () => setHeld({ ...held, known: knownFrom(items ?? [], idOf, undefined) }),
    hasMore: data?.next_cursor !== undefined,
    isReadingMore: liveness.isAsking && shown.length < held.wanted && !isFirst,
    showMore: () => setHeld({ ...held, wanted: held.wanted + step }),
  }
}
