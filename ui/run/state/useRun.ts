import { useQueryClient } from '@tanstack/react-query'
import { createContext, useCallback, useContext, useSyncExternalStore } from 'react'
import type { RunRow } from '../../api/run-types.ts'
import { readRun } from '../../api/runs.ts'
import type { RunHead, RunStore, Shown } from '../../live/run-store.ts'
import type { Live } from '../../live/useLive.ts'
import { useLive } from '../../live/useLive.ts'
import { runPace } from './run-pace.ts'
import { storeOf } from './stores.ts'

/** The run that the page is of, for its tabs. */
export const RunContext = createContext<RunStore | undefined>(undefined)

const useStore = (): RunStore => {
  const store = useContext(RunContext)
  if (!store) throw new Error('this is no part of a run page')
  return store
}

/** Keeps a run up to date: asks for what changed since the last answer. */
export const useLiveRun = (id: string): Live<RunHead> & { store: RunStore } => {
  const store = storeOf(id)
  const { run } = store.shown()
  const live = useLive({
    key: ['run', id],
    read: async (signal) => {
      const answer = await readRun(id, store.since(Date.now()), signal)
      return store.take(answer, Date.now())
    },
    pace: runPace,
    known: run && { data: run, answeredAt: store.answeredAt() },
  })
  return { ...live, store }
}

/** The run and its rows; what uses it is drawn again with each change. */
export const useShown = (store: RunStore): Shown => useSyncExternalStore(store.subscribe, store.shown)

/** The same inside the page. Undefined until there is anything. */
export const useRun = (): Shown => useShown(useStore())

/** One row; what uses it is drawn again when this row changes. */
export const useRow = (key: string): RunRow | undefined => {
  const store = useStore()
  const subscribe = useCallback((listener: () => void) => store.subscribeRow(key, listener), [store, key])
  return useSyncExternalStore(subscribe, () => store.row(key))
}

/** Reads the run anew and whole, and the row that is open beside it: after something was done to it. */
export const useReadAgain = (): (() => Promise<void>) => {
  const store = useStore()
  const queries = useQueryClient()
  return async () => {
    store.forget()
    const id = store.shown().run?.id ?? ''
    await Promise.all([
      queries.refetchQueries({ queryKey: ['run', id] }),
      queries.refetchQueries({ queryKey: ['run-stack', id] }),
    ])
  }
}
