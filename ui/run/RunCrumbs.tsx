import type { ReactNode } from 'react'
import type { RunHead } from '../live/run-store.ts'
import { Crumbs } from '../parts/Crumbs.tsx'
import { PullLink } from '../parts/PullLink.tsx'

/** From the repository over the pull request, if there is one, to a run, which is given as children. */
export const RunCrumbs = ({ run: { repo, pr_number: pr }, children }: { run: RunHead; children: ReactNode }) => (
  <Crumbs repo={repo}>
    {pr !== undefined && (
      <li>
        <PullLink of={repo} pr={pr} />
      </li>
    )}
    <li>{children}</li>
  </Crumbs>
)
