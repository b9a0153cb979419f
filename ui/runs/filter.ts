import type { RunFilter } from '../api/runs.ts'
import type { Asked } from '../list/filters.ts'

/** What an address asks for. A number of a pull request says nothing without a repository. */
export const filterOf = ({ pr, ...search }: Omit<RunFilter, 'repo'>, repo: string | undefined): RunFilter => ({
  ...search,
  repo,
  pr: repo === undefined ? undefined : pr,
})

/** As it is said. */
export const askedOf = ({ status, ...filter }: RunFilter): Asked => ({ ...filter, status: status?.join(', ') })
