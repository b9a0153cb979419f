/** A number of places, given out in the order they were requested: runners, and the `max-parallel` of a matrix. */
export type Slots = {
  /** Resolves with a function that gives the place back, or undefined if the signal fired first. */
  take(signal: AbortSignal): Promise<(() => void) | undefined>
}

export const createSlots = (count: number): Slots => {
  let free = count
  const waiting: (() => void)[] = []

  const release = (): void => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }

  const once = (): (() => void) => {
    let isHeld = true
    return () => {
      if (isHeld) release()
      isHeld = false
    }
  }

  return {
    take: (signal) => {
      if (signal.aborted) return Promise.resolve(undefined)
      if (free > 0) {
        free -= 1
        return Promise.resolve(once())
      }
      const { promise, resolve } = Promise.withResolvers<(() => void) | undefined>()
      const enter = () => {
        signal.removeEventListener('abort', giveUp)
        resolve(once())
      }
      const giveUp = () => {
        waiting.splice(waiting.indexOf(enter), 1)
        resolve(undefined)
      }
      signal.addEventListener('abort', giveUp, { once: true })
      waiting.push(enter)
      return promise
    },
  }
}
