import { useSyncExternalStore } from 'react'

/** A phone, or a window as narrow: where style sheets say `width <= 760px`. */
const narrow = matchMedia('(width <= 760px)')

const subscribe = (listener: () => void): (() => void) => {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches)
