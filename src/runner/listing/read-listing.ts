import { Problem } from '#errors.ts'
import { positionOf } from '../hcl/hcl-error.ts'
import { jsonFault } from '../hcl/json-fault.ts'
import { Listing } from '../scan/listing.ts'

const fieldOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (all, step) =>
      typeof step === 'number' ? `${all}[${step}]` : all === '' ? String(step) : `${all}.${String(step)}`,
    '',
  )

const SHOWN = 10

/** Reads what a command lists. Throws a Problem that names every field at fault; `from` is whose text it is. */
export const readListing = (text: string, from: string): Listing => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    const { line, column } = positionOf(text, jsonFault(text))
    const what = text.trim() === '' ? 'is empty' : `is no JSON, at ${line}:${column}`
    throw new Problem('invalid', `${from}: its output ${what}: expected {"version": 1, "stacks": [], "edges": []}`)
  }
  const checked = Listing.safeParse(value)
  if (checked.success) return checked.data
  const said = checked.error.issues.slice(0, SHOWN).map(({ path, message }) => {
    const field = fieldOf(path)
    return field === '' ? message : `${field}: ${message}`
  })
  const more = checked.error.issues.length - said.length
  throw new Problem('invalid', `${from}: ${said.join('; ')}${more > 0 ? `; and ${more} more` : ''} (docs/discover.md)`)
}
