import type { ReactNode } from 'react'
import type { RunHead } from '../live/run-store.ts'
import { PullLink } from '../parts/PullLink.tsx'

/** From the repository over the pull request, if there is one, to a run, which is given as children. */
export const RunCrumbs = ({ run: { repo, pr_number: pr }, children }: { run: RunHead; children: ReactNode }) => (
  <nav className="crumbs" aria-label="Breadcrumb">
    <span>{repo}</span>
    <span aria-hidden="true">/</span>
    {pr !== undefined && (
      <>
        <PullLink of={repo} pr={pr} />
        <span aria-hidden="true">/</span>
      </>
    )}
    {children}
  </nav>
)
