const TOKEN =
  /(?<string>"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(?<scalar>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|(?<mark>[{}[\],:])/y
const SPACE = /[ \t\r\n]*/y

type Wanted = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end'

const kindOf = (groups: Record<string, string | undefined> | undefined): string | undefined =>
  groups?.string === undefined ? (groups?.scalar === undefined ? groups?.mark : 'scalar') : 'string'

const afterOpening: Readonly<Record<string, Wanted>> = { '{': 'key or }', '[': 'value or ]' }

/** What may come after a token; undefined if the token is not allowed here. `open` holds the brackets around it. */
const next = (kind: string, wanted: Wanted, open: string[]): Wanted | undefined => {
  const isKey = wanted === 'key' || wanted === 'key or }'
  if (isKey && kind === 'string') return ':'
  if (wanted === ':') return kind === ':' ? 'value' : undefined
  const closes = wanted === ', or end' || wanted === (kind === '}' ? 'key or }' : 'value or ]')
  if (kind === '}' || kind === ']') return closes && open.pop() === (kind === '}' ? '{' : '[') ? ', or end' : undefined
  if (wanted === ', or end')
    return kind === ',' && open.length > 0 ? (open.at(-1) === '{' ? 'key' : 'value') : undefined
  if (isKey) return undefined
  const opening = afterOpening[kind]
  if (opening !== undefined) open.push(kind)
  return opening ?? (kind === 'string' || kind === 'scalar' ? ', or end' : undefined)
}

/** The offset where a text stops being JSON. JSON.parse gives only a few characters from around it, and not always. */
export const jsonFault = (text: string): number => {
  const open: string[] = []
  let wanted: Wanted | undefined = 'value'
  for (let at = 0; ; at = TOKEN.lastIndex) {
    SPACE.lastIndex = at
    SPACE.exec(text)
    TOKEN.lastIndex = SPACE.lastIndex
    const kind = kindOf(TOKEN.exec(text)?.groups)
    wanted = kind === undefined ? undefined : next(kind, wanted, open)
    if (wanted === undefined) return SPACE.lastIndex
  }
}
