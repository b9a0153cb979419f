import { isObject, type Partly } from './value.ts'

/** The value of a name (`var.region` asks for `var`, `region`); undefined if it cannot be known before a run. */
export type Scope = (root: string, name: string) => Partly

/** A scope in which no name is known. */
export const noNames: Scope = () => undefined

const TRAVERSAL = /^([\p{ID_Start}_][\p{ID_Continue}-]*)\.([\p{ID_Start}_][\p{ID_Continue}-]*)/u
const STEP = /^\s*(?:\.\s*([\p{ID_Start}_][\p{ID_Continue}-]*|\d+)|\[\s*(?:"([^"\\$%]*)"|(\d+))\s*\])/u

const step = (value: Partly, name: string): Partly => {
  if (isObject(value)) return Object.hasOwn(value, name) ? value[name] : undefined
  return Array.isArray(value) ? value[Number(name)] : undefined
}

/** The value of a reference, `var.region` or `local.names[0]`, as far as the scope knows it. */
export const traverse = (text: string, scope: Scope): Partly => {
  const start = TRAVERSAL.exec(text)
  if (start === null) return undefined
  let value = scope(start[1] ?? '', start[2] ?? '')
  let rest = text.slice(start[0].length)
  while (rest !== '' && value !== undefined) {
    const next = STEP.exec(rest)
    if (next === null) return undefined
    value = step(value, next[1] ?? next[2] ?? next[3] ?? '')
    rest = rest.slice(next[0].length)
  }
  return value
}
