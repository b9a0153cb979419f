import { fnv1a } from './hash.ts'
import type { StackStatus } from './run-status.ts'

export type CheckRunConclusion = 'success' | 'failure' | 'neutral' | 'cancelled' | 'action_required'

/**
 * What a check run should say. Name and external id together are its identity: a retry finds by them the one it made
 * (the external id alone is that of every check run of the run, or of the stack's).
 */
export type CheckRunWanted = {
  name: string
  headSha: string
  externalId: string
  detailsUrl: string
  status: 'queued' | 'in_progress' | 'completed'
  conclusion?: CheckRunConclusion
  title: string
  summary: string
  text?: string
}

/** A status of GitHub's for each of ours: a conclusion for every one that is final, so that nothing stays pending. */
export const progressOf = (status: StackStatus): Pick<CheckRunWanted, 'status' | 'conclusion'> => {
  if (status === 'pending') return { status: 'queued' }
  if (status === 'planning' || status === 'applying') return { status: 'in_progress' }
  return { status: 'completed', conclusion: conclusions[status] }
}

const conclusions: Record<Exclude<StackStatus, 'pending' | 'planning' | 'applying'>, CheckRunConclusion> = {
  planned: 'success',
  applied: 'success',
  noop: 'success',
  failed: 'failure',
  unknown: 'action_required',
  unconfirmed: 'action_required',
  blocked: 'cancelled',
  skipped: 'cancelled',
  superseded: 'cancelled',
}

/** GitHub documents no length for a check run's name; 255 characters are known to be taken. */
const longestName = 255

/**
 * `svc/plan`, or `svc/plan: <key>` for one stack. Too long a name is cut and closed with a hash of the whole, so that
 * two long keys of one beginning stay two names, the same ones each time.
 */
export const checkRunName = (check: string, key?: string): string => {
  const name = key === undefined ? `svc/${check}` : `svc/${check}: ${key}`
  if (name.length <= longestName) return name
  const suffix = `…${fnv1a(name)}`
  return `${name.slice(0, longestName - suffix.length).toWellFormed()}${suffix}`
}
