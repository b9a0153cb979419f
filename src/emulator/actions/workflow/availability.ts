import { builtIns, statusFunctions } from '../expressions/functions.ts'
import type { Expression } from '../expressions/parser.ts'
import { walk } from '../expressions/template.ts'

const run = ['github', 'inputs', 'vars']
const beforeMatrix = [...run, 'needs']
const onServer = [...beforeMatrix, 'strategy', 'matrix']
const onRunner = [...onServer, 'job', 'runner', 'env', 'secrets', 'steps']

/**
 * Contexts that each place of a workflow file may use; an expression with another one keeps the whole file from running.
 * Source: docs.github.com, 'Contexts reference', Context availability.
 */
const contextsAt = {
  'run-name': run,
  concurrency: run,
  env: [...run, 'secrets'],
  'job.if': beforeMatrix,
  'job.strategy': beforeMatrix,
  'job.name': onServer,
  'job.runs-on': onServer,
  'job.environment': onServer,
  'job.environment.url': onRunner.filter((name) => name !== 'secrets'),
  'job.timeout-minutes': onServer,
  'job.env': [...onServer, 'secrets'],
  'job.defaults': [...onServer, 'env'],
  'job.outputs': onRunner,
  step: onRunner,
  'step.if': onRunner.filter((name) => name !== 'secrets'),
} satisfies Record<string, readonly string[]>

export type Place = keyof typeof contextsAt

const callProblem = (name: string, given: number, place: Place): string | undefined => {
  const key = name.toLowerCase()
  if (statusFunctions.has(key))
    return place === 'job.if' || place === 'step.if' ? undefined : `${name}() may be used in an if only`
  const builtIn = builtIns.get(key)
  if (!builtIn) return `${name}() is not a function this emulator knows`
  return given < builtIn.min || given > builtIn.max
    ? `${name}() takes ${builtIn.min === builtIn.max ? builtIn.min : `${builtIn.min} to ${builtIn.max}`} arguments, not ${given}`
    : undefined
}

/** What is wrong with an expression at a place of the file: contexts and functions that aren't available there. */
export const misplaced = (expression: Expression, place: Place): string[] => {
  const contexts: readonly string[] = contextsAt[place]
  return walk(expression).flatMap((inner) => {
    if (inner.kind === 'call') return callProblem(inner.name, inner.args.length, place) ?? []
    if (inner.kind !== 'context' || contexts.includes(inner.name.toLowerCase())) return []
    return `the context ${inner.name} is not available here (${contexts.join(', ')} are)`
  })
}
