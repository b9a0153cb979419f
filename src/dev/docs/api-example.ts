/** A request as the documents show it, with a real service's answer. */
export type Example = {
  /** `POST /v1/runs`, as the API document names it; several examples of one operation are shown in their order. */
  operation: string
  as: 'runner' | 'key' | 'nobody'
  path: string
  body?: unknown
  status: number
  answer: unknown
  /** The part of the answer that is shown, if it is long. */
  shown?: string
}

const credential = { runner: '$RUNNER_TOKEN', key: '$SVC_API_KEY', nobody: 'sk_unknown' } as const

const width = 118

/** JSON with everything that fits on a line on one line: an edge is read as a whole. */
export const compactJson = (value: unknown, indent = ''): string => {
  const flat = JSON.stringify(value, undefined, 1)?.replaceAll(/\n\s*/g, ' ') ?? 'null'
  if (flat.length + indent.length <= width || typeof value !== 'object' || value === null) return flat
  const inner = `${indent}  `
  const lines = Array.isArray(value)
    ? value.map((item) => `${inner}${compactJson(item, inner)}`)
    : Object.entries(value).map(([key, item]) => `${inner}${JSON.stringify(key)}: ${compactJson(item, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`
}

/** A request for curl and its answer, as Markdown. */
export const exampleLines = ({ operation, as, path, body, status, answer, shown }: Example): string[] => {
  const method = operation.split(' ')[0] ?? 'GET'
  const json = body === undefined || Object.keys(body as object).length === 0 ? undefined : compactJson(body)
  return [
    '```sh',
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$SVC_URL${path}" -H "Authorization: Bearer ${credential[as]}"${json ? ' \\' : ''}`,
    ...(json ? [`  -H 'Content-Type: application/json' -d '${json.replaceAll("'", "'\\''")}'`] : []),
    '```',
    '',
    `${status}${shown ? `, ${shown}` : ''}:`,
    '',
    '```json',
    ...(typeof answer === 'string' ? [answer] : [compactJson(answer)]),
    '```',
    '',
  ]
}
