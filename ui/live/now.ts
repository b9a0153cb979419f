import { useSyncExternalStore } from 'react'
import { onClockLearnt, serviceNow } from '../api/clock.ts'

/*
 * One clock for everything on a page that tells the time: it ticks each second while somebody looks, so that two ages side by side
 * change in the same moment.
 */

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let now = serviceNow()

const tell = (): void => {
  now = serviceNow()
  for (const listener of listeners) listener()
}

const tick = (): void => {
  if (!document.hidden) tell()
}

// the first answer may say that all that is shown is an hour off: not in a second, but before it is drawn
onClockLearnt(tell)

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  if (timer === undefined) {
    timer = setInterval(tick, 1000)
    document.addEventListener('visibilitychange', tick)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
    document.removeEventListener('visibilitychange', tick)
  }
}

/** The service's time to the second, in milliseconds; what uses it is drawn again each second. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now)
