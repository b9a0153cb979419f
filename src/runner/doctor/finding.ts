/** One finding of `svc doctor`: `fail` keeps svc from working, `warn` may do so, `skip` could not be examined from here. */
export type Finding = {
  check:
    | 'git'
    | 'configuration'
    | 'backend'
    | 'tool'
    | 'workflows'
    | 'token'
    | 'key'
    | 'repository'
    | 'service'
    | 'clock'
  status: 'ok' | 'warn' | 'fail' | 'skip'
  says: string
  /** What to do about it. */
  todo?: string
}

type Say = (says: string, todo?: string) => Finding

const finding =
  (check: Finding['check'], status: Finding['status']): Say =>
  (says, todo) => ({ check, status, says, ...(todo === undefined ? {} : { todo }) })

/** The four things that can be said of one check. */
export const findingsOf = (check: Finding['check']): Record<Finding['status'], Say> => ({
  ok: finding(check, 'ok'),
  warn: finding(check, 'warn'),
  fail: finding(check, 'fail'),
  skip: finding(check, 'skip'),
})
