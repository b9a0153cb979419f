import { createRunStore, type RunStore } from '../../live/run-store.ts'

/** Runs that are kept: going back to one shows it at once. */
const kept = 8

const stores = new Map<string, RunStore>()

/** What this page knows of a run, as long as it is one of the last that were looked at. */
export const storeOf = (id: string): RunStore => {
  const store = stores.get(id) ?? createRunStore(requestAnimationFrame)
  stores.delete(id)
  stores.set(id, store)
  for (const oldest of [...stores.keys()].slice(0, -kept)) stores.delete(oldest)
  return store
}
