import type { Kind } from '#machines/index.ts'

/** What each kind of machine is found by. A stack row may be named by its run and key, as jobs know it. */
type Places = {
  run: { id: string }
  stack: { runId: string; stackId: string } | { runId: string; key: string }
  lock: { stackId: string }
  dispatch: { id: string; runId: string }
}

/** The destination of a message: a machine by its kind and id. */
export type AddressOf<K extends Kind> = { [P in K]: { kind: P } & Places[P] }[K]
export type Address = AddressOf<Kind>

/** The id of a stack row in journal and timers. */
export const stackRowId = (runId: string, stackId: string): string => `${runId}:${stackId}`

const runOf = (address: Exclude<Address, { kind: 'lock' }>): string =>
  address.kind === 'run' ? address.id : address.runId

/** The run whose lock guards the machine; a stack lock has none, it is locked itself. */
export const rootOf = (address: Address): string | undefined => (address.kind === 'lock' ? undefined : runOf(address))

/** Messages with the same lane must not be handled at the same time: the run, or the stack lock. */
export const laneOf = (address: Address): string =>
  address.kind === 'lock' ? `lock ${address.stackId}` : runOf(address)

type FromId<K extends Kind> = (id: string, runId: string | undefined) => AddressOf<K> | undefined

const fromId: { [K in Kind]: FromId<K> } = {
  run: (id) => ({ kind: 'run', id }),
  stack: (id) => {
    const [runId = '', stackId = ''] = id.split(':')
    return { kind: 'stack', runId, stackId }
  },
  lock: (id) => ({ kind: 'lock', stackId: id }),
  dispatch: (id, runId) => (runId === undefined ? undefined : { kind: 'dispatch', id, runId }),
}

/** The address for an id in journal or timers; undefined for a dispatch without its run, which only its row names. */
export const addressOf = <K extends Kind>(kind: K, id: string, runId: string | undefined): AddressOf<K> | undefined =>
  fromId[kind](id, runId)
