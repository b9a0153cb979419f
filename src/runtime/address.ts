/** Where a message goes: a machine by its kind and id. A stack row may be named by its run and key, as jobs know it. */
export type Address =
  | { kind: 'run'; id: string }
  | { kind: 'stack'; runId: string; stackId: string }
  | { kind: 'stack'; runId: string; key: string }
  | { kind: 'lock'; stackId: string }
  | { kind: 'dispatch'; id: string; runId: string }

/** The id that journal and timers know a stack row by. */
export const stackRowId = (runId: string, stackId: string): string => `${runId}:${stackId}`

const runOf = (address: Exclude<Address, { kind: 'lock' }>): string =>
  address.kind === 'run' ? address.id : address.runId

/** The run whose lock guards the machine; a stack lock has none, it is locked itself. */
export const rootOf = (address: Address): string | undefined => (address.kind === 'lock' ? undefined : runOf(address))

/** What messages must not be handled for at the same time: the run, or the stack lock. */
export const laneOf = (address: Address): string =>
  address.kind === 'lock' ? `lock ${address.stackId}` : runOf(address)

/** Back from the id in journal or timers to an address; undefined for a dispatch without its run, which only its row names. */
export const addressOf = (kind: Address['kind'], id: string, runId: string | undefined): Address | undefined => {
  if (kind === 'run') return { kind, id }
  if (kind === 'lock') return { kind, stackId: id }
  if (kind === 'dispatch') return runId === undefined ? undefined : { kind, id, runId }
  const [run = '', stack = ''] = id.split(':')
  return { kind, runId: run, stackId: stack }
}
