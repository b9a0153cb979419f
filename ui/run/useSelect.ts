import { useNavigate, useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The address of the step before, from which a stack was opened in this one. */
    openedFrom?: string
  }
}

const isOpen = (): boolean => new URLSearchParams(location.search).has('stack')

/** The address as it is without a stack beside it. */
const closedAddress = (): string => {
  const url = new URL(location.href)
  url.searchParams.delete('stack')
  return url.href
}

/**
 * Opens a stack beside the board, or closes it. Opening one is a step that Back takes back; going from one to the next is not, or
 * Back would go through all that were looked at. Closing takes the same step back, and is none of its own: after it, Back leaves the board.
 */
export const useSelect = (): ((key: string | undefined) => void) => {
  const navigate = useNavigate({ from: '/runs/$id' })
  const { history } = useRouter()
  return useCallback(
    (key) => {
      if (key === undefined && !isOpen()) return
      // with other filters than it was opened with, the step before is not what is meant
      if (key === undefined && history.location.state.openedFrom === closedAddress()) return history.back()
      void navigate({
        to: '/runs/$id',
        params: (params) => params,
        search: (search) => ({ ...search, stack: key }),
        resetScroll: false,
        replace: isOpen(),
        state: isOpen() ? true : { openedFrom: closedAddress() },
      })
    },
    [navigate, history],
  )
}
