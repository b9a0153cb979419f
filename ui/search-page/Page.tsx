import { getRouteApi, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { Finder } from '../search/Finder.tsx'
import { useTitle } from '../shell/useTitle.ts'
import './search-page.css'

const route = getRouteApi('/search')

/** The search as a page: what is looked for is in its address. */
export const SearchPage = () => {
  const { q = '' } = route.useSearch()
  const entry = useRouterState({ select: ({ location }) => location.state.__TSR_index })
  useTitle(q === '' ? 'Search' : `${q}, search`)
  return (
    <div className="search-page">
      <h1>Search</h1>
      {/* a link to another search is another entry of the history, and what is typed is not */}
      <Typed key={entry} first={q} />
    </div>
  )
}

/** The text is kept here: the address follows, too late for a field. */
const Typed = ({ first }: { first: string }) => {
  const navigate = route.useNavigate()
  const [text, setText] = useState(first)
  const set = (next: string): void => {
    setText(next)
    void navigate({ search: { q: next }, replace: true, resetScroll: false })
  }
  return <Finder text={text} setText={set} autoFocus />
}
