import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ownerAndRepo } from './owner-and-repo.ts'
import './crumbs.css'

type CrumbsProps = {
  /** owner/name, where the way leads through a repository. */
  repo?: string
  /** The rest of it, an `li` each. */
  children?: ReactNode
}

/** The way to a page, from the widest place. */
export const Crumbs = ({ repo, children }: CrumbsProps) => (
  <nav aria-label="Breadcrumb">
    <ol className="crumbs">
      {repo !== undefined && (
        <li>
          <Link to="/repos/$owner/$repo" params={ownerAndRepo(repo)}>
            {repo}
          </Link>
        </li>
      )}
      {children}
    </ol>
  </nav>
)
