import { firstLine } from '#domain/texts/first-line.ts'

/** A look at the queue takes some milliseconds. */
const hangingMs = 5000

export type WatchedLook = {
  look(): Promise<boolean>
  /** Why the last look failed, or that it hangs; undefined if it did not. */
  trouble(): string | undefined
}

/** A worker's look at the queue, of which readiness asks how the last one went. `onFailed` gets the error of one that fails. */
export const watchLook = (take: () => Promise<boolean>, onFailed: (error: unknown) => void): WatchedLook => {
  let failed: string | undefined
  let since: number | undefined
  const hangs = (): boolean => since !== undefined && performance.now() - since > hangingMs
  return {
    look: async () => {
      since = performance.now()
      try {
        const isMore = await take()
        failed = undefined
        return isMore
      } catch (error) {
        failed = error instanceof Error ? firstLine(error.message) : String(error)
        onFailed(error)
        return false
      } finally {
        since = undefined
      }
    },
    trouble: () => failed ?? (hangs() ? `no answer for ${hangingMs / 1000} s` : undefined),
  }
}
