/** A part of a list, as every list of the API answers it. */
export type Page<T> = {
  items: T[]
  next_cursor?: string | undefined
  total?: number | undefined
  /** The filters that it went by: one that is not among them was ignored. */
  filters?: Record<string, string> | undefined
}

/** Which part of a list to read. */
export type Part = { limit: number; cursor?: string | undefined }

/** As many rows as the API answers at once. */
const most = 500

/** Pages of some lists come with few rows or none: this many such pages are read before that is shown. */
const spare = 4

/**
 * The first `wanted` rows of a list, in as many questions as that takes. There may be fewer though the list goes on
 * (docs/interface.md, 'Lists'). `soFar` hears of what is there before each further question.
 */
export const readUpTo = async <T>(
  read: (part: Part) => Promise<Page<T>>,
  wanted: number,
  soFar: (begun: Page<T>) => void = () => {},
): Promise<Page<T>> => {
  let limit = Math.min(most, wanted)
  const all = await read({ limit })
  let isSparse = all.items.length < limit
  for (let left = Math.ceil(wanted / most) + spare; left > 1; left -= 1) {
    if (all.next_cursor === undefined || all.items.length >= wanted) break
    soFar({ ...all, items: [...all.items] })
    // from a page with gaps on, as much is asked for as at first: asking for the few that are missing would find fewer each time
    limit = Math.min(most, isSparse ? wanted : wanted - all.items.length)
    const page = await read({ limit, cursor: all.next_cursor })
    isSparse ||= page.items.length < limit
    all.items.push(...page.items)
    all.next_cursor = page.next_cursor
  }
  return all
}
