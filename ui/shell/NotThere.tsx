import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMe } from './useMe.ts'
import { useProblemTitle } from './useTitle.ts'

/** A thing, or a page, that is not there for who is signed in: which of the two it is the service does not tell. */
export const NotThere = ({ what = 'this page', children }: { what?: string; children?: ReactNode }) => {
  const me = useMe()
  useProblemTitle('Not there')
  return (
    <div className="words">
      <h1>Not there, or not yours to see</h1>
      <p>
        Either {what} does not exist, or {me ? <strong>{me.login}</strong> : 'your account'} may not read its repository
        at the code host. What an organisation has added since you signed in is there after signing in again.
      </p>
      {children}
      <p>
        <Link to="/" className="button">
          To the overview
        </Link>
      </p>
    </div>
  )
}
