import { useEffect } from 'react'

let ofPage = 'svc'
let ofProblem: string | undefined

const show = (): void => {
  document.title = ofProblem ?? ofPage
}

/** What the browser's tab says of a page. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    ofPage = `${title} · svc`
    show()
  }, [title])
}

/** What it says while something is in the place of the page, which has its own title again afterwards. */
export const useProblemTitle = (title: string): void => {
  useEffect(() => {
    ofProblem = `${title} · svc`
    show()
    return () => {
      ofProblem = undefined
      show()
    }
  }, [title])
}
