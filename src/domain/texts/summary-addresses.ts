import type { Summary } from '../plan-summary.ts'

/** The addresses of a summary, one per line after the sign of its change, what goes away first; `''` if it names none. */
export const addressList = (summary: Summary): string =>
  [
    ...marked('-', summary.destroyed),
    ...marked('±', summary.replaced),
    ...marked('~', summary.changed),
    ...marked('+', summary.added),
  ].join('\n')

const marked = (mark: string, addresses: readonly string[] = []): string[] =>
  addresses.map((address) => `${mark} ${address}`)
