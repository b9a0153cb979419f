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

// the first answer may tell that every age on the page is an hour off: it is told at once, and not by the next tick
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
