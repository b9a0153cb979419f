/*
 * SVC_REQUIRED_WORKFLOW_REF (spec, 'Runner token rules', 4): a glob for the job_workflow_ref of every runner token, such as
 * `octo/infra/.github/workflows/svc-*.yml@refs/heads/*`. Before the `@`, `*` stays within a segment and a segment `**` is any
 * number of them; after it `*` also matches `/`, since branches have slashes. `?`, `[a-z]`, `[^a-z]` and `\` as usual.
 * Matched by hand and not by a regular expression made of the glob: whatever a workflow is called, the cost is at most the
 * product of the two lengths.
 */

export type RefGlob = { glob: string; matches: (ref: string) => boolean }
export type CompiledRefGlob = ({ ok: true } & RefGlob) | { ok: false; problem: string }

type OneChar = (char: string) => boolean
type Pattern = (OneChar | '*')[]

/** The longest match of a list of parts, of which a star takes any number; goes back to the last star only. */
const matchesParts = <P>(
  parts: readonly P[],
  text: ArrayLike<string>,
  isStar: (part: P) => boolean,
  one: (part: P, item: string) => boolean,
) => {
  let [p, t, star, mark] = [0, 0, -1, 0]
  while (t < text.length) {
    const part = parts[p]
    if (part !== undefined && isStar(part)) {
      star = p
      mark = t
      p += 1
    } else if (part !== undefined && one(part, text[t] ?? '')) {
      p += 1
      t += 1
    } else if (star >= 0) {
      mark += 1
      p = star + 1
      t = mark
    } else return false
  }
  return parts.slice(p).every(isStar)
}

const matchesText = (pattern: Pattern, text: string): boolean =>
  matchesParts(
    pattern,
    text,
    (part) => part === '*',
    (part, char) => part !== '*' && part(char),
  )

/** `[abc]`, `[a-z]`, `[^a-z]`, from behind the opening bracket; undefined when it is not closed, empty or backwards. */
const classAt = (text: string, from: number): { end: number; matches: OneChar } | undefined => {
  const negated = text[from] === '^' || text[from] === '!'
  const first = negated ? from + 1 : from
  const end = text.indexOf(']', first + 1)
  if (end < 0) return undefined
  const ranges: [string, string][] = []
  for (let i = first; i < end; i += 1) {
    const last = text[i + 1] === '-' && i + 2 < end ? (text[i + 2] ?? '') : (text[i] ?? '')
    ranges.push([text[i] ?? '', last])
    if (last < (text[i] ?? '')) return undefined
    if (text[i + 1] === '-' && i + 2 < end) i += 2
  }
  return { end, matches: (char) => negated !== ranges.some(([low, high]) => char >= low && char <= high) }
}

const patternOf = (text: string): Pattern | undefined => {
  const pattern: Pattern = []
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i] ?? ''
    if (char === '*') pattern.push('*')
    else if (char === '?') pattern.push(() => true)
    else if (char === '[') {
      const found = classAt(text, i + 1)
      if (found === undefined) return undefined
      pattern.push(found.matches)
      i = found.end
    } else {
      if (char === '\\') i += 1
      const literal = text[i]
      if (literal === undefined) return undefined
      pattern.push((other) => other === literal)
    }
  }
  return pattern
}

const shapeProblem = (glob: string): string | undefined => {
  const [path = '', ref = '', ...more] = glob.split('@')
  if (/\s/.test(glob)) return 'has white space in it'
  if (path === '' || ref === '' || more.length > 0)
    return "expected a workflow, one '@' and a ref, as in owner/repo/.github/workflows/*.yml@refs/heads/*"
  return path.split('/').includes('') ? 'has an empty segment' : undefined
}

/** Compiles the glob of SVC_REQUIRED_WORKFLOW_REF, or says why it is malformed (which stops the start). */
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
