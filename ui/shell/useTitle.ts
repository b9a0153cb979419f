import { useEffect } from 'react'

/** What the browser's tab says. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · svc`
  }, [title])
}
