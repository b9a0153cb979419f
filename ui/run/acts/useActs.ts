import { createContext, useContext } from 'react'

/** What can be done to a run: each opens a dialog that says what will happen. */
export type Acts = { release(key: string): void; planAgain(): void }

export const ActsContext = createContext<Acts>({ release: () => {}, planAgain: () => {} })

export const useActs = (): Acts => useContext(ActsContext)
