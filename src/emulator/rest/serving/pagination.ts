import type { Answer, Call } from './call.ts'

/** `per_page` (30, at most 100) and `page` of a query, both at least 1; a value that is not a number is ignored. */
const pageOf = (query: Record<string, string>): { size: number; page: number } => ({
  size: Math.min(100, Math.max(1, Number.parseInt(query.per_page ?? '', 10) || 30)),
  page: Math.max(1, Number.parseInt(query.page ?? '', 10) || 1),
})

/** One page of a listing with the Link header to its neighbours; `body` puts the page into the shape of the route. */
export const paginate = <T>(call: Call, items: T[], body: (page: T[], total: number) => unknown): Answer => {
  const { size, page } = pageOf(call.query)
  const last = Math.max(1, Math.ceil(items.length / size))
  const link = (to: number, rel: string): string => {
    const url = new URL(call.url)
    url.searchParams.set('page', String(to))
    return `<${url.href}>; rel="${rel}"`
  }
  const links = [
    ...(page > 1 ? [link(page - 1, 'prev')] : []),
    ...(page < last ? [link(page + 1, 'next'), link(last, 'last')] : []),
    ...(page > 1 ? [link(1, 'first')] : []),
  ]
  const shown = items.slice((page - 1) * size, page * size)
  return { body: body(shown, items.length), ...(links.length > 0 ? { headers: { link: links.join(', ') } } : {}) }
}

/** Pages by cursor, as in the list of webhook deliveries: the cursor is the id at which the next page begins. */
export const paginateByCursor = <T extends { id: number }>(
  call: Call,
  items: T[],
  body: (item: T) => unknown,
): Answer => {
  const { size } = pageOf(call.query)
  const cursor = call.query.cursor
  const start = cursor === undefined ? 0 : items.findIndex((item) => `v1_${item.id}` === cursor)
  const shown = items.slice(start, start + size)
  const next = items[start + size]
  if (!next) return { body: shown.map(body) }
  const url = new URL(call.url)
  url.searchParams.set('cursor', `v1_${next.id}`)
  return { body: shown.map(body), headers: { link: `<${url.href}>; rel="next"` } }
}
