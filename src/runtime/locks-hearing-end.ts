import { locksOfRuns } from '#db/machines/locks.ts'
import type { Tx } from '#db/sql.ts'
import { heldStates } from '#domain/lock-state.ts'
import { acceptedIn, describeMachine } from './inspect.ts'

/** In which the end of the run that holds the lock means anything. */
const states = heldStates.filter((state) => acceptedIn(describeMachine('lock'), state).includes('run.finished'))

/** The stacks of those locks of runs that hear of the run's end: of an apply of 5,000 stacks nearly always none. */
export const locksHearingEnd = (tx: Tx, runIds: string[]): Promise<string[]> => locksOfRuns(tx, runIds, states)
