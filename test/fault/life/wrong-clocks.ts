import { setTimeout as wait } from 'node:timers/promises'
import type { Happening } from './happenings.ts'

/** The clock of instance B is set wrong for a while: longer than its leases, while it works on. */
const clockOfB = (words: string, ahead: number): Happening => ({
  name: `the clock of instance B is ${words}`,
  happen: async ({ instances }, { frozen }) => {
    const instance = instances[1]
    if (!instance) throw new Error('there is no instance B')
    await instance.setClock(ahead)
    await wait(frozen * 1000)
    await instance.setClock(0)
  },
})

/** By the names that the test and the proof use; in seconds. */
export const wrongClocks = {
  minuteAhead: clockOfB('a minute ahead', 60),
  minuteBehind: clockOfB('a minute behind', -60),
  hourAhead: clockOfB('an hour ahead', 3600),
  hourBehind: clockOfB('an hour behind', -3600),
}
