const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Strings and numbers below a value. Booleans and null say too little to be hidden, and occur everywhere. */
const leaves = (value: unknown, found: Set<string>): void => {
  if (typeof value === 'string') found.add(value)
  else if (typeof value === 'number') found.add(String(value))
  else if (Array.isArray(value)) for (const item of value) leaves(item, found)
  else if (isObject(value)) for (const item of Object.values(value)) leaves(item, found)
}

/** The texts and numbers that a value is made of. */
export const leavesOf = (value: unknown): string[] => {
  const found = new Set<string>()
  leaves(value, found)
  return [...found]
}

/** `marks` has the shape of the value, and `true` where the value and everything below it is sensitive. */
const collect = (value: unknown, marks: unknown, found: Set<string>): void => {
  if (marks === true) leaves(value, found)
  else if (Array.isArray(marks) && Array.isArray(value))
    for (const [i, mark] of marks.entries()) collect(value[i], mark, found)
  else if (isObject(marks) && isObject(value))
    for (const [name, mark] of Object.entries(marks)) collect(value[name], mark, found)
}

/** Pairs of a value and its marks, anywhere in a plan: changes, drift, outputs, planned and prior values. */
const pairs = [
  ['before', 'before_sensitive'],
  ['after', 'after_sensitive'],
  ['values', 'sensitive_values'],
  ['value', 'sensitive'],
] as const

const visit = (node: unknown, found: Set<string>): void => {
  if (Array.isArray(node)) for (const item of node) visit(item, found)
  if (!isObject(node)) return
  for (const [value, marks] of pairs) if (Object.hasOwn(node, marks)) collect(node[value], node[marks], found)
  for (const item of Object.values(node)) visit(item, found)
}

/** A variable carries no mark beside its value; its declaration does. */
const visitVariables = (plan: Record<string, unknown>, found: Set<string>): void => {
  const { configuration, variables } = plan
  const module = isObject(configuration) ? configuration.root_module : undefined
  const declared = isObject(module) && isObject(module.variables) ? module.variables : {}
  for (const [name, declaration] of Object.entries(declared)) {
    const given = isObject(variables) ? variables[name] : undefined
    if (isObject(declaration) && declaration.sensitive === true && isObject(given)) leaves(given.value, found)
  }
}

/**
 * Every value that the JSON of a plan (`show -json`) marks sensitive. The JSON has them in clear. The tool's text hides the ones
 * it knows, and shows a copy that a provider made. Source: developer.hashicorp.com, 'JSON Output Format'.
 */
export const sensitiveValues = (plan: unknown): string[] => {
  const found = new Set<string>()
  visit(plan, found)
  if (isObject(plan)) visitVariables(plan, found)
  return [...found]
}
