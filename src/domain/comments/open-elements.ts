/*
 * Elements of HTML that stay open across the blocks of a comment: what is in `<details>` after a blank line is folded away, as
 * what is right after it. As a browser reads them, and where that would need a whole parser, an element stays open when in doubt.
 */

/** The beginning or the end of an element. */
export type Mark = { at: number; name: string; closes: boolean }

/** Shown as code, sample, quote or struck out, folded away, or not shown at all. */
const HIDING = new Set(
  'blockquote code del details kbd pre q s samp script strike style template textarea title tt'.split(' '),
)

/** A browser opens these again in the next block, whatever block they were left open in. */
const REOPENED = ['code', 's', 'strike', 'tt'] as const

/** Nothing inside of these closes what was opened before them. */
const SCOPES = new Set('applet marquee math object select svg table template'.split(' '))

export const isMarked = (name: string): boolean => HIDING.has(name) || SCOPES.has(name)

/** How many of each are open, since the element that began the scope. */
type Scope = { name: string; open: Map<string, number> }

export type OpenElements = {
  take(mark: Mark): void
  /** What follows may be part of a tag or a comment that nothing ends. */
  lose(): void
  isLost(): boolean
  /** Whether text would be hidden now. */
  isHiding(): boolean
  /** What is taken in `work` closes nothing that was opened before: a cell of a table is a scope too. */
  apart<T>(work: () => T): T
  /** Goes on after a quote: what is opened in it ends with it, but for what a browser opens again. */
  after(quote: OpenElements): void
  /** How many of these are open. */
  count(name: string): number
}

export const openElements = (): OpenElements => {
  const scopes: Scope[] = [{ name: '', open: new Map() }]
  let [hiding, isLost] = [0, false]
  const add = (open: Scope['open'], name: string, count: number): void => {
    open.set(name, (open.get(name) ?? 0) + count)
  }
  const top = (): Scope['open'] => (scopes.at(-1) as Scope).open
  const hide = (name: string, count: number): void => {
    add(top(), name, count)
    hiding += count
  }
  /** What it leaves open stays open. */
  const endScope = (): void => {
    const ended = scopes.pop()
    for (const [name, count] of ended?.open ?? []) add(top(), name, count)
  }
  const close = (name: string): void => {
    if (HIDING.has(name) && (top().get(name) ?? 0) > 0) hide(name, -1)
    if (SCOPES.has(name) && scopes.at(-1)?.name === name) endScope()
  }
  const count = (name: string): number => scopes.reduce((sum, { open }) => sum + (open.get(name) ?? 0), 0)
  return {
    take: ({ name, closes }) => {
      if (closes) return close(name)
      if (HIDING.has(name)) hide(name, 1)
      if (SCOPES.has(name)) scopes.push({ name, open: new Map() })
    },
    lose: () => {
      isLost = true
    },
    isLost: () => isLost,
    isHiding: () => isLost || hiding > 0,
    apart: (work) => {
      const depth = scopes.length
      scopes.push({ name: '', open: new Map() })
      const result = work()
      while (scopes.length > depth) endScope()
      return result
    },
    after: (quote) => {
      if (quote.isLost()) isLost = true
      for (const name of REOPENED) hide(name, quote.count(name))
    },
    count,
  }
}
