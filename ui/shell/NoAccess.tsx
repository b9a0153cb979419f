import { Link } from '@tanstack/react-router'
import { useMe } from './useMe.ts'
import { useProblemTitle } from './useTitle.ts'

/** A page that is there, and not for who is signed in. The service says why. */
export const NoAccess = ({ why }: { why: string }) => {
  const me = useMe()
  useProblemTitle('No access')
  return (
    <div className="words">
      <h1>Not for {me?.login ?? 'your account'}</h1>
      <p>{why}</p>
      <p>
        <Link to="/" className="button">
          To the overview
        </Link>
      </p>
    </div>
  )
}
