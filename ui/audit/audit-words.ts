import type { AuditEntry } from '../api/audit.ts'

/** What each action did (docs/interface.md, 'AuditEntry'). */
export const actionWords: Record<string, string> = {
  command: 'gave a command',
  command_ignored: 'gave a command that was ignored',
  command_rate_limited: 'gave one command too many',
  rerun: 'had a plan run again',
  manual_apply: 'started a manual apply',
  unlock: 'released a lock',
  check_waived: 'waived a failed check',
  lock_orphaned: 'said that a lock is orphaned',
  lock_reminder: 'reminded of a lock',
  cross_repo_plan: 'planned what an apply elsewhere led to',
  config_invalid: 'could not read svc.yml',
  drift_issue_refused: 'could not write an issue',
  queue_retry: 'queued something again',
}

export const wordsOfAction = (action: string): string => actionWords[action] ?? action.replaceAll('_', ' ')

/** What somebody did: `gave a command: apply`. */
export const didWords = ({ action, details }: Pick<AuditEntry, 'action' | 'details'>): string =>
  typeof details?.verb === 'string' ? `${wordsOfAction(action)}: ${details.verb}` : wordsOfAction(action)

/** The pull request that an entry is about. */
export const pullOf = ({ details }: Pick<AuditEntry, 'details'>): number | undefined =>
  typeof details?.pr === 'number' ? details.pr : undefined

/** The id of the stack that an entry is about. */
export const stackOf = ({ details }: Pick<AuditEntry, 'details'>): string | undefined =>
  typeof details?.stack_id === 'string' ? details.stack_id : undefined

/** What an entry is about: a repository, a stack of one, or something else by its name. */
export type Target = { owner: string; repo: string; key?: string | undefined } | { name: string }

export const targetOf = (target: string): Target => {
  const [, owner, repo, , key] = /^([^/:\s]+)\/([^/\s]+)(\/\/(.+))?$/.exec(target) ?? []
  return owner === undefined || repo === undefined ? { name: target } : { owner, repo, key }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : Array.isArray(value) ? value.map(textOf).join(', ') : JSON.stringify(value)

/** The details, as names and texts; the repository is in the target. */
export const detailsOf = ({ details = {} }: Pick<AuditEntry, 'details'>): [string, string][] =>
  Object.entries(details)
    .filter(([name]) => name !== 'repo')
    .map(([name, value]) => [name.replaceAll('_', ' '), textOf(value)])

/** Said elsewhere in the row, or of use to nobody who does not look closer. */
const beside = ['verb', 'pr', 'comment id', 'stack', 'stack id', 'run id']

/** The details in one line: the reason first, in somebody's own words. */
export const detailLine = (entry: Pick<AuditEntry, 'details'>): string =>
  detailsOf(entry)
    .filter(([name, value]) => !beside.includes(name) && value !== '')
    .toSorted(([a], [b]) => Number(b === 'reason') - Number(a === 'reason'))
    .map(([name, value]) => (name === 'reason' ? `“${value}”` : `${name} ${value}`))
    .join(', ')

/** The beginning of a day here, as the API takes moments; `days` later. */
export const startOf = (day: string | undefined, days = 0): string | undefined => {
  if (day === undefined) return undefined
  const at = new Date(`${day}T00:00`)
  at.setDate(at.getDate() + days)
  return at.toISOString()
}
