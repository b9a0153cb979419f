import { isOpen, isUnderWay, type OpenStatus, type StackStatus } from '../run-status.ts'
import { fnv1a } from './hash.ts'

export type CheckRunConclusion = 'success' | 'failure' | 'neutral' | 'cancelled' | 'action_required'

/**
 * What a check run should say. Name and external id together identify it: a retry finds the one it made by them (the external
 * id alone is shared by every check run of the run, or of the stack).
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

/** GitHub's status for each of ours: every final one has a conclusion, so nothing stays pending. */
export const progressOf = (status: StackStatus): Pick<CheckRunWanted, 'status' | 'conclusion'> => {
  if (!isOpen(status)) return { status: 'completed', conclusion: conclusions[status] }
  return { status: isUnderWay(status) ? 'in_progress' : 'queued' }
}

const conclusions: Record<Exclude<StackStatus, OpenStatus>, CheckRunConclusion> = {
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

/** GitHub documents no length for a check run's name; 255 characters are known to be accepted. */
const longestName = 255

/**
 * `svc/plan`, or `svc/plan: <key>` for one stack. A name that is too long is cut and ends in a hash of the whole, so two long
 * keys with the same beginning keep two different names, always the same ones.
 */
export const checkRunName = (check: string, key?: string): string => {
  const name = key === undefined ? `svc/${check}` : `svc/${check}: ${key}`
  if (name.length <= longestName) return name
  const suffix = `…${fnv1a(name)}`
  return `${name.slice(0, longestName - suffix.length).toWellFormed()}${suffix}`
}
