import { Link } from '@tanstack/react-router'
import { ownerAndRepo } from './owner-and-repo.ts'

type PullLinkProps = {
  /** owner/name */
  of: string
  pr: number
  /** -1 in a table, whose rows have the focus. */
  tabIndex?: number | undefined
}

/** A pull request by its number, with a link to its page. */
export const PullLink = ({ of, pr, tabIndex }: PullLinkProps) => (
  <Link
    to="/repos/$owner/$repo/pulls/$number"
    params={{ ...ownerAndRepo(of), number: String(pr) }}
    {...(tabIndex === undefined ? {} : { tabIndex })}
  >
    #{pr}
  </Link>
)
