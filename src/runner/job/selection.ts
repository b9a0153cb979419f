import { z } from 'zod'
import { PlanOutput, Tool } from '#domain/graph/graph.ts'
import { Problem } from '#errors.ts'
import type { Flags } from '../command.ts'
import type { Environment } from '../environment.ts'

/** Flags of the commands that work on stacks of a run. */
export const stackFlags = {
  'run-id': { says: 'the run that svc resolve registered (SVC_RUN_ID)', value: 'UUID' },
  matrix: { says: "the job's entry of the matrix, as JSON (SVC_MATRIX)", value: 'JSON' },
  stack: { says: 'key of a stack: of the entry, or without one (SVC_STACK)', value: 'KEY', multiple: true },
  'work-dir': { says: 'where plans and results are kept between steps (SVC_WORK_DIR)', value: 'DIR' },
} as const satisfies Flags

export type StackFlags = { 'run-id'?: string; matrix?: string; stack?: string[]; 'work-dir'?: string }

const fields = {
  sha: z.string().optional(),
  wave: z.int().optional(),
  environment: z.string().optional(),
  tool: Tool.optional(),
  tool_version: z.string().optional(),
  plan_output: PlanOutput.optional(),
  instance: z.string().optional(),
  workspace: z.string().optional(),
  runs_on: z.array(z.string()).optional(),
  var_files: z.array(z.string()).optional(),
  backend_config: z.array(z.string()).optional(),
}

const Key = z.string().min(1)

const Entry = z.object({
  ...fields,
  stack: z.string().optional(),
  key: Key,
  /** For a dispatched apply: the artifact with the saved plan. Empty if none was saved. */
  artifact: z.string().optional(),
  stacks: z.array(z.union([Key, z.object({ ...fields, key: Key })])).optional(),
})

/** What the matrix says of a stack; without a matrix only the key. `stack` is its directory. */
export type Selected = Omit<z.infer<typeof Entry>, 'stacks'>

const parseMatrix = (text: string): Selected[] => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Problem('invalid', `SVC_MATRIX: is not JSON: ${error instanceof Error ? error.message : error}`)
  }
  const checked = Entry.safeParse(value)
  if (!checked.success) {
    const issue = checked.error.issues[0]
    const field = issue?.path.join('.') || 'the entry'
    throw new Problem(
      'invalid',
      `SVC_MATRIX: ${field}: ${issue?.message}: expected an entry of the matrix, of svc resolve or of a dispatch`,
    )
  }
  const { stacks, stack, key, ...common } = checked.data
  if (stacks === undefined) return [{ ...common, key, ...(stack === undefined ? {} : { stack }) }]
  return stacks.map((member) => ({ ...common, ...(typeof member === 'string' ? { key: member } : member) }))
}

/** The stacks of a job: the ones in its matrix entry, or the ones named. */
export const selectStacks = (values: StackFlags, environment: Environment): Selected[] => {
  const matrix = values.matrix ?? environment.matrix
  const entries = matrix === undefined ? [] : parseMatrix(matrix)
  const named = values.stack ?? (environment.stack === undefined ? [] : [environment.stack])
  // The entry's own keys win over a variable, which may be set for the same job; a flag is deliberate.
  if (entries.length > 0 && values.stack === undefined) return entries
  return named.map((key) => entries.find((entry) => entry.key === key) ?? { key })
}

export const selectSome = (values: StackFlags, environment: Environment): Selected[] => {
  const selected = selectStacks(values, environment)
  if (selected.length > 0) return selected
  throw new Problem('invalid', "no stack is named: set SVC_MATRIX to the job's entry of the matrix, or give --stack")
}

/** The run to report to; undefined if svc resolve could not register one. */
export const runIdOf = (values: StackFlags, environment: Environment): string | undefined => {
  const id = values['run-id'] ?? environment.runId
  if (id === undefined || z.guid().safeParse(id).success) return id
  throw new Problem('invalid', `SVC_RUN_ID: '${id}' is not a run id: svc resolve sets one as its output run_id`)
}
