import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Body, blocksOf, emptyBody, expressionOf } from '../hcl/body.ts'
import { evaluate, literal } from '../hcl/evaluate.ts'
import { HclError } from '../hcl/hcl-error.ts'
import { parseHcl } from '../hcl/parse-hcl.ts'
import { parseTfJson } from '../hcl/tf-json.ts'
import { noNames } from '../hcl/traverse.ts'
import type { StackJob } from '../job/stack-job.ts'
import { filesForTool, sourceFile } from '../scan/tree/source-file.ts'
import { leavesOf } from './sensitive-values.ts'
import { namesIn, valuesFilesOf } from './values-files.ts'
import { variableArguments } from './variable-arguments.ts'

/*
 * A plan that failed marks nothing, since there is none, and its errors quote the values that it was given. So what is secret is
 * read from where a plan has it: the declarations, and the values of the environment, of the files and of the arguments.
 */

type Stack = Pick<StackJob, 'directory' | 'varFiles' | 'tool'>

const VARIABLES: ReadonlySet<string> = new Set(['variable'])

const bodyOf = (path: string, kind: 'configuration' | 'values'): Body | undefined => {
  try {
    const text = readFileSync(path, 'utf8')
    if (path.endsWith('.json')) return kind === 'values' ? parseTfJson(text, 'values') : parseTfJson(text)
    return kind === 'values' ? parseHcl(text) : parseHcl(text, { keep: VARIABLES })
  } catch (error) {
    // The tool says what is wrong with it. A path that is no file holds no values.
    if (error instanceof HclError || (error instanceof Error && 'code' in error)) return undefined
    throw error
  }
}

const isTrue = (expression: string | undefined): boolean =>
  expression !== undefined && [true, 'true'].some((yes) => literal(expression) === yes)

/** The variables that a root module declares sensitive, with the expressions of their defaults. */
const sensitiveVariables = ({ directory, tool }: Stack): Map<string, string | undefined> => {
  const found = new Map<string, string | undefined>()
  const files = filesForTool(
    namesIn(directory).flatMap((name) => sourceFile(name) ?? []),
    tool,
  )
  for (const { name } of files)
    for (const { labels, body } of blocksOf(bodyOf(join(directory, name), 'configuration') ?? emptyBody, 'variable'))
      if (isTrue(expressionOf(body, 'sensitive'))) found.set(labels[0] ?? '', expressionOf(body, 'default'))
  return found
}

/** A value as the tool is given it in a text: the text itself, and whatever is in it if it is a list or a map. */
const given = (text: string): string[] => [text, ...leavesOf(evaluate(text, noNames))]

/**
 * Values that a stack's variables have if they are declared sensitive: defaults, `TF_VAR_…`, files of values (found by name, or
 * given as -var-file), and -var arguments in `TF_CLI_ARGS`. All of them, not only those that win: an error may quote any.
 */
export const declaredSecrets = (stack: Stack, environment: Readonly<Record<string, string>>): string[] => {
  const variables = sensitiveVariables(stack)
  if (variables.size === 0) return []
  const found: string[] = []
  const take = (expression: string | undefined): void => {
    if (expression !== undefined) found.push(...leavesOf(evaluate(expression, noNames)))
  }
  for (const [name, fallback] of variables) {
    take(fallback)
    found.push(...given(environment[`TF_VAR_${name}`] ?? ''))
  }
  const { files, values } = variableArguments(environment)
  for (const [name, text] of values) if (variables.has(name)) found.push(...given(text))
  for (const path of new Set([...valuesFilesOf(stack), ...files])) {
    const body = bodyOf(resolve(stack.directory, path), 'values')
    for (const [name, { expression }] of body?.attributes ?? []) if (variables.has(name)) take(expression)
  }
  return found
}
