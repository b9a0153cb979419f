import { registerHooks } from 'node:module'

/*
 * GitHub's own parsers of workflow files and expressions. They import JSON without saying so, which Node refuses: this says it for them.
 */
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
})

const { NoOperationTraceWriter, parseWorkflow, convertWorkflowTemplate } = await import('@actions/workflow-parser')
const { data, Evaluator, Lexer, Parser } = await import('@actions/expressions')

/** What GitHub finds wrong with a workflow file. */
export const workflowProblems = async (name: string, content: string): Promise<string[]> => {
  const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter())
  if (value !== undefined) await convertWorkflowTemplate(context, value)
  return context.errors.getErrors().map(({ message }) => message)
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

const toData = (
  value: Json,
): InstanceType<typeof data.Dictionary> | ReturnType<typeof scalar> | InstanceType<typeof data.Array> => {
  if (Array.isArray(value)) return new data.Array(...value.map(toData))
  if (typeof value !== 'object' || value === null) return scalar(value as Exclude<Json, object>)
  const pairs = Object.entries(value as Record<string, Json>).map(([key, one]) => ({ key, value: toData(one) }))
  return new data.Dictionary(...pairs)
}

const scalar = (value: null | boolean | number | string) => {
  if (value === null) return new data.Null()
  if (typeof value === 'boolean') return new data.BooleanData(value)
  return typeof value === 'number' ? new data.NumberData(value) : new data.StringData(value)
}

/** The value of an expression as GitHub's evaluator gives it, as text; undefined if it refuses it. */
export const githubText = (expression: string, contexts: { [name: string]: Json }): string | undefined => {
  try {
    const { tokens } = new Lexer(expression).lex()
    const parsed = new Parser(tokens, Object.keys(contexts), []).parse()
    const value = toData(contexts)
    if (!(value instanceof data.Dictionary)) return undefined
    return new Evaluator(parsed, value).evaluate().coerceString()
  } catch {
    return undefined
  }
}
