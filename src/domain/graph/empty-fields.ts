/** Which fields may be left out: `required` fields are kept whatever they hold, and `inside` describes nested ones. */
type Shape = { required: readonly string[]; inside?: Readonly<Record<string, Shape>> }

const backend: Shape = { required: ['type'] }

/**
 * A graph's shape (graph.ts). An empty `path` of a stack is the repository's root; the contents of a stack's `config` are kept
 * as they are.
 */
export const graphShape: Shape = {
  required: ['repo', 'sha', 'tree_hash', 'stacks'],
  inside: {
    stacks: { required: ['key', 'path'], inside: { backend } },
    modules: { required: ['key', 'kind'] },
    edges: { required: ['from', 'to', 'type'], inside: { meta: { required: [] } } },
  },
}

/** Clients may send fields of any name, `constructor` too. */
const innerOf = ({ inside }: Shape, name: string): Shape | undefined =>
  inside !== undefined && Object.hasOwn(inside, name) ? inside[name] : undefined

const isLeftOut = (name: string, field: unknown, { required }: Shape): boolean =>
  (field === null || field === '') && !required.includes(name)

/** Whether any field is to be left out. Looks without copying: hardly any graph has one, and copying 8 MB takes 100 ms. */
const hasEmpty = (value: unknown, shape: Shape): boolean => {
  if (typeof value !== 'object' || value === null) return false
  // a list in a list is not an object of ours, and may be of any depth
  if (Array.isArray(value)) return value.some((one) => !Array.isArray(one) && hasEmpty(one, shape))
  const fields = value as Record<string, unknown>
  for (const name in fields) {
    if (isLeftOut(name, fields[name], shape)) return true
    const inner = innerOf(shape, name)
    if (inner !== undefined && hasEmpty(fields[name], inner)) return true
  }
  return false
}

/**
 * The value without the fields that are null or the empty string. These count as left out: clients whose language has no absent
 * values send them.
 */
export const leaveOutEmpty = (value: unknown, shape: Shape): unknown => {
  if (!hasEmpty(value, shape)) return value
  if (Array.isArray(value)) return value.map((one) => (Array.isArray(one) ? one : leaveOutEmpty(one, shape)))
  const kept = Object.entries(value as object).filter(([name, field]) => !isLeftOut(name, field, shape))
  return Object.fromEntries(
    kept.map(([name, field]) => {
      const inner = innerOf(shape, name)
      return [name, inner === undefined ? field : leaveOutEmpty(field, inner)]
    }),
  )
}
