type Waiting<K, V> = { key: K; resolve(value: V | Promise<V>): void; reject(error: unknown): void }

/**
 * Answers questions asked at about the same time with one statement. Questions of one turn of the event loop share a
 * statement; those that come while it is under way share the next. A request that comes alone waits only for its own
 * statement; with `lingerMs`, so long for others before.
 * `ask` gets up to `atMost` keys in the order they came, and returns a function that is called once for each, in that order.
 */
export const createBatch = <K, V>(
  ask: (keys: K[]) => Promise<(key: K) => V | Promise<V>>,
  { atMost = 500, underWay = 1, lingerMs = 0 } = {},
): ((key: K) => Promise<V>) => {
  const waiting: Waiting<K, V>[] = []
  let busy = 0

  const drain = async (): Promise<void> => {
    while (waiting.length > 0) await settle(waiting.splice(0, atMost), ask)
    busy -= 1
  }
  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      if (busy >= underWay) return
      busy += 1
      if (lingerMs > 0) setTimeout(drain, lingerMs)
      else setImmediate(drain)
    })
}

const settle = async <K, V>(
  batch: Waiting<K, V>[],
  ask: (keys: K[]) => Promise<(key: K) => V | Promise<V>>,
): Promise<void> => {
  try {
    const answer = await ask(batch.map((one) => one.key))
    for (const one of batch) one.resolve(answer(one.key))
  } catch (error) {
    for (const one of batch) one.reject(error)
  }
}
