import type { Example } from '#dev/docs/api-example.ts'
import type { Answer } from '#test/helpers/runner.ts'

/** Values that differ from run to run, each replaced by the next of a series: equal values stay equal. */
const series = (make: (n: number) => string) => {
  const known = new Map<string, string>()
  return (value: string): string => {
    const before = known.get(value)
    if (before !== undefined) return before
    const made = make(known.size + 1)
    known.set(value, made)
    return made
  }
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Makes records the same in every run: ids, commits, times and cursors stay distinguishable, and nothing more. */
const createPlain = () => {
  const ofUuid = series((n) => `0192a4c8-5e1d-4f00-8a00-${String(n).padStart(12, '0')}`)
  const ofCommit = series((n) => `${n.toString(16).padStart(2, '0')}c0ffee`.padEnd(40, '0'))
  const commits = new Set<string>()
  const commit = (sha: string): string => {
    commits.add(sha)
    return ofCommit(sha)
  }
  /** The abbreviated forms, in messages, of values that came before. */
  const short = (start: string): string => {
    const sha = [...commits].find((one) => one.startsWith(start))
    return sha === undefined ? start : ofCommit(sha).slice(0, start.length)
  }
  const ofNumber = series((n) => String(100 + n))
  const text = (value: string): string => {
    if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return '2026-01-31T12:00:00.000Z'
    return value
      .replace(uuid, ofUuid)
      .replace(/^http:\/\/127\.0\.0\.1:\d+/, 'https://github.com')
      .replace(/\b[0-9a-f]{40}\b/g, commit)
      .replace(/\b[0-9a-f]{7}\b/g, short)
  }
  const plain = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value)) return value.map((item) => plain(item, key))
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner, name)]))
    }
    if (key === 'next_cursor') return 'WyJjdXJzb3IiXQ'
    if (key === 'codehost_url') return 'https://github.com'
    // of the service; those of modules begin with a tag's name
    if (key === 'version' && typeof value === 'string' && /^\d+\.\d+\.\d+/.test(value)) return '1.2.3'
    if (typeof value === 'string') return text(value)
    return typeof value === 'number' && /^(id|repo_id|workflow_run_id)$/.test(key)
      ? Number(ofNumber(String(value)))
      : value
  }
  const plainPath = (path: string): string => text(path).replace(/(?<=\/)\d+(?=\/|$)/g, ofNumber)
  return { plain, plainPath }
}

/** A request to record: as whom, and which part of its answer is shown. */
export type Asked = Pick<Example, 'operation' | 'as' | 'path'> & {
  body?: unknown
  shown?: [what: string, of: (body: never) => unknown]
}

/** Records requests and answers. `path` begins with the operation's path, filled in. */
export const createRecorder = (ask: (asked: Asked) => Promise<Answer>) => {
  const { plain, plainPath } = createPlain()
  const examples: Example[] = []
  const record = async (asked: Asked): Promise<Answer> => {
    const answer = await ask(asked)
    const { operation, as, path, body, shown } = asked
    const kept = shown ? shown[1](answer.body as never) : answer.body
    examples.push({
      ...{ operation, as, path: plainPath(path), status: answer.status, answer: plain(kept) },
      ...(body === undefined ? {} : { body: plain(body) }),
      ...(shown ? { shown: shown[0] } : {}),
    })
    return answer
  }
  return { record, examples }
}
