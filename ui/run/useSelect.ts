import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'

/**
 * Opens a stack beside the board, or closes it. Opening one is a step that Back takes back; going from one to the next is not, or
 * Back would go through all that were looked at.
 */
export const useSelect = (): ((key: string | undefined) => void) => {
  const navigate = useNavigate({ from: '/runs/$id' })
  return useCallback(
    (key) =>
      void navigate({
        to: '/runs/$id',
        params: (params) => params,
        search: (search) => ({ ...search, stack: key }),
        replace: key !== undefined && new URLSearchParams(location.search).has('stack'),
        resetScroll: false,
      }),
    [navigate],
  )
}
