import type { Run } from '#api/runs/run.ts'
import type { RunStack } from '#api/runs/run-stack.ts'
import { changeCounts } from '#domain/texts/change-counts.ts'
import type { Column } from '../print/fitted-table.ts'
import { paintOfStatus, pullCell, shortId } from './cells.ts'

/** `plan of acme/infra #12 at 1a2b3c4, asked for by ada`. */
export const titleOf = ({ mode, repo, pr_number: pull, sha, requested_by: by }: Run): string => {
  const of = pull === undefined ? repo : `${repo} ${pullCell(pull)}`
  return `${mode} of ${of} at ${sha.slice(0, 7)}${by === undefined ? '' : `, asked for by ${by}`}`
}

const verdicts = ({ checks = [] }: RunStack): string => checks.map(({ name, status }) => `${name} ${status}`).join(', ')

const holder = ({ lock }: RunStack): string => {
  if (lock === undefined) return ''
  return pullCell(lock.pr_number) || `run ${shortId(lock.run_id ?? '')}`
}

/** How a run's stacks are listed. Waves count from 1, as on the run's page. */
export const stackColumns: readonly Column<RunStack>[] = [
  { heading: 'WAVE', cell: ({ wave }) => String(wave + 1), whole: true },
  { heading: 'STACK', cell: ({ key }) => key },
  { heading: 'STATUS', cell: ({ status }) => status, paint: ({ status }) => paintOfStatus(status), whole: true },
  { heading: 'CHANGES', cell: ({ summary }) => (summary === undefined ? '' : changeCounts(summary)), whole: true },
  { heading: 'WHY', cell: ({ reasons = [] }) => reasons.join(', ') },
  { heading: 'VIA', cell: ({ via = [] }) => via.join(', ') },
  {
    heading: 'CHECKS',
    cell: verdicts,
    paint: ({ checks = [] }) => (checks.some(({ status }) => status === 'fail') ? 'red' : undefined),
  },
  { heading: 'LOCKED BY', cell: holder, whole: true },
  { heading: 'BLOCKED BY', cell: ({ blocked_by: by = [] }) => by.join(', ') },
]
