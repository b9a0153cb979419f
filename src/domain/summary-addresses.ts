import type { Summary } from './plan-summary.ts'

/** The addresses of a summary, one a line behind the sign of what happens to it; `''` where it names none. */
export const addressList = (summary: Summary): string =>
  [
    ...marked('+', summary.added),
    ...marked('~', summary.changed),
    ...marked('-', summary.destroyed),
    ...marked('±', summary.replaced),
  ].join('\n')

const marked = (mark: string, addresses: readonly string[] = []): string[] =>
  addresses.map((address) => `${mark} ${address}`)
