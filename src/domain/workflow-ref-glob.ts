import { matchesParts, matchesText, type Pattern, patternOf } from './config/wildcard.ts'

/*
 * SVC_REQUIRED_WORKFLOW_REF (docs/interface.md, 'Runner token rules', 4): a glob for the job_workflow_ref of every runner
 * token, such as `octo/infra/.github/workflows/svc-*.yml@refs/heads/*`. Before the `@`, `*` stays within a segment and a
 * segment `**` is any number of them; after it, `*` also matches `/`, since branch names contain slashes. `?`, `[a-z]`,
 * `[^a-z]` and `\` as usual.
 */

export type RefGlob = { glob: string; matches: (ref: string) => boolean }
export type CompiledRefGlob = ({ ok: true } & RefGlob) | { ok: false; problem: string }

const shapeProblem = (glob: string): string | undefined => {
  const [path = '', ref = '', ...more] = glob.split('@')
  if (/\s/.test(glob)) return 'contains white space'
  if (path === '' || ref === '' || more.length > 0)
    return "expected a workflow, one '@' and a ref, as in owner/repo/.github/workflows/*.yml@refs/heads/*"
  return path.split('/').includes('') ? 'has an empty segment' : undefined
}

/** Compiles the glob of SVC_REQUIRED_WORKFLOW_REF, or returns why it is malformed (which stops the start). */
export const compileRefGlob = (glob: string): CompiledRefGlob => {
  const problem = shapeProblem(glob)
  if (problem !== undefined) return { ok: false, problem }
  const [path = '', ref = ''] = glob.split('@')
  const refPattern = patternOf(ref)
  const segments: (Pattern | '**')[] = []
  for (const segment of path.split('/')) {
    const pattern = segment === '**' ? segment : patternOf(segment)
    if (pattern === undefined)
      return { ok: false, problem: `'${segment}' has a bracket that is not closed, or ends in '\\'` }
    segments.push(pattern)
  }
  if (refPattern === undefined)
    return { ok: false, problem: `'${ref}' has a bracket that is not closed, or ends in '\\'` }
  const matchesPath = (text: string): boolean =>
    matchesParts(
      segments,
      text.split('/'),
      (segment) => segment === '**',
      (segment, name) => segment !== '**' && matchesText(segment, name),
    )
  const matches = (jobWorkflowRef: string): boolean => {
    const at = jobWorkflowRef.indexOf('@')
    return at >= 0 && matchesPath(jobWorkflowRef.slice(0, at)) && matchesText(refPattern, jobWorkflowRef.slice(at + 1))
  }
  return { ok: true, glob, matches }
}
