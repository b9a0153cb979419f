import type { Scope } from '../expressions/evaluate.ts'
import { fill } from '../expressions/template.ts'
import { isArray, isObject, type ObjectValue, toText, type Value } from '../expressions/value.ts'
import { fillDeep } from './fill-in.ts'
import type { Matrix } from './schema.ts'

/** One job of a matrix: its `matrix` context, and the text in parentheses after the job's name. */
export type Combination = { values: ObjectValue; label: string[] }

/** Most jobs that one matrix may make in a workflow run. */
const maxCombinations = 256

/** Plain values in order, also those inside lists and maps; '' and null are left out. */
const labelOf = (value: Value): string[] => {
  if (isArray(value)) return value.flatMap(labelOf)
  if (isObject(value)) return Object.values(value).flatMap(labelOf)
  return toText(value) === '' ? [] : [toText(value)]
}

const isSame = (left: Value | undefined, right: Value): boolean => JSON.stringify(left) === JSON.stringify(right)

const vectorsOf = (matrix: ObjectValue): [string, readonly Value[]][] =>
  Object.entries(matrix).flatMap(([name, vector]): [string, readonly Value[]][] => {
    if (name === 'include') return []
    if (name === 'exclude') throw new Error('matrix.exclude is not supported by this emulator')
    if (!isArray(vector)) throw new Error(`matrix vector '${name}' must be a list`)
    if (vector.length === 0) throw new Error(`matrix vector '${name}' does not contain any values`)
    return [[name, vector]]
  })

const includesOf = (matrix: ObjectValue): ObjectValue[] => {
  const include = matrix.include ?? []
  if (!isArray(include)) throw new Error('matrix.include must be a list')
  return include.map((entry, at) => {
    if (!isObject(entry)) throw new Error(`matrix.include[${at}] must be a map`)
    return entry
  })
}

const product = (vectors: [string, readonly Value[]][]): ObjectValue[] =>
  vectors.reduce<ObjectValue[]>(
    (rows, [name, vector]) => rows.flatMap((row) => vector.map((value) => ({ ...row, [name]: value }))),
    vectors.length > 0 ? [{}] : [],
  )

/**
 * An include is added to each combination whose own vector values it would not change; if there is none, it becomes a
 * combination itself. It may change values that an earlier include added.
 */
const combine = (originals: ObjectValue[], includes: ObjectValue[]): Combination[] => {
  const grown = originals.map((original) => ({ original, values: original, label: labelOf(original) }))
  const alone: Combination[] = []
  for (const entry of includes) {
    const fitting = grown.filter(({ original }) =>
      Object.entries(entry).every(([key, value]) => !Object.hasOwn(original, key) || isSame(original[key], value)),
    )
    for (const combination of fitting) combination.values = { ...combination.values, ...entry }
    if (fitting.length === 0) alone.push({ values: entry, label: labelOf(entry) })
  }
  return [...grown, ...alone].map(({ values, label }) => ({ values, label }))
}

/**
 * Combinations of a matrix: the matrix may be one expression, contain expressions, or be written out. Throws when GitHub
 * fails the job: no combination at all ("Matrix must define at least one vector"), or more than 256. Source:
 * docs.github.com, 'Workflow syntax', jobs.<job_id>.strategy.matrix and .include; 'Actions limits'.
 */
export const expandMatrix = (matrix: Matrix, scope: Scope): Combination[] => {
  const filled = typeof matrix === 'string' ? fill(matrix, scope) : fillDeep(matrix, scope)
  if (!isObject(filled)) throw new Error(`matrix must be a map of lists, not '${toText(filled)}'`)
  const combinations = combine(product(vectorsOf(filled)), includesOf(filled))
  if (combinations.length === 0) throw new Error('matrix must define at least one vector')
  if (combinations.length > maxCombinations)
    throw new Error(`matrix makes ${combinations.length} jobs, above the limit of ${maxCombinations}`)
  return combinations
}

/** `name (a, b)`, cut at 100 characters; a name with its own expression gets no parentheses. */
export const displayName = (name: string, template: string | undefined, label: readonly string[]): string => {
  const hasOwn = template?.includes('${{') ?? false
  const full = label.length > 0 && !hasOwn ? `${name} (${label.join(', ')})` : name
  return full.length > 100 ? `${full.slice(0, 97)}...` : full
}
