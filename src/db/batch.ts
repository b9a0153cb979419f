type Waiting<K, V> = { key: K; resolve(value: V): void; reject(error: unknown): void }

/**
 * Answers questions that are asked at about the same time with one statement: those that come in one turn of the event loop
 * share the first, those that come while it is under way share the next. A request alone waits for its own statement only.
 * `ask` gets the keys in the order they came and answers a function that is called once for each of them, in that order.
 */
export const createBatch = <K, V>(ask: (keys: K[]) => Promise<(key: K) => V>): ((key: K) => Promise<V>) => {
  const waiting: Waiting<K, V>[] = []
  let busy = false

  const drain = async (): Promise<void> => {
    while (waiting.length > 0) await settle(waiting.splice(0, atMost), ask)
    busy = false
  }
  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      if (busy) return
      busy = true
      setImmediate(drain)
    })
}

/** Keys in one statement: a bound on its size, far above what waits in a few milliseconds. */
const atMost = 500

const settle = async <K, V>(batch: Waiting<K, V>[], ask: (keys: K[]) => Promise<(key: K) => V>): Promise<void> => {
  try {
    const answer = await ask(batch.map((one) => one.key))
    for (const one of batch) one.resolve(answer(one.key))
  } catch (error) {
    for (const one of batch) one.reject(error)
  }
}
