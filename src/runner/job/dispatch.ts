import { z } from 'zod'
import { Mode, Sha } from '#api/scalars.ts'
import { Problem } from '#errors.ts'
import type { Environment } from '../environment.ts'

/** What a dispatched job gets from its workflow's inputs. The matrix is read where stacks are selected. */
export type Dispatch = { mode: z.infer<typeof Mode>; runId: string; wave: string; sha: string }

type Variable = { name: string; value: string | undefined; schema: z.ZodType; expected: string }

/** A wave may be too large for one dispatch: `2.1` is the second of wave 2. */
const Wave = z.string().regex(/^\d+(\.\d+)?$/)

const variablesOf = ({ mode, runId, wave, sha, matrix }: Environment): Variable[] => [
  { name: 'SVC_MODE', value: mode, schema: Mode, expected: 'plan, apply or drift, from inputs.mode' },
  { name: 'SVC_RUN_ID', value: runId, schema: z.guid(), expected: "the run's id, from inputs.run_id" },
  { name: 'SVC_WAVE', value: wave, schema: Wave, expected: 'the wave, 2 or 2.1, from inputs.wave' },
  { name: 'SVC_SHA', value: sha, schema: Sha, expected: 'a full commit id, from inputs.sha' },
  { name: 'SVC_MATRIX', value: matrix, schema: z.string(), expected: "the job's matrix entry: toJSON(matrix)" },
]

const problemOf = ({ name, value, schema, expected }: Variable): string | undefined => {
  if (value === undefined) return `${name}: is not set: expected ${expected}`
  return schema.safeParse(value).success ? undefined : `${name}: '${value}' is not ${expected}`
}

/** The mode of a dispatched job; undefined in any other. */
export const modeOf = ({ mode }: Environment): Dispatch['mode'] | undefined => Mode.safeParse(mode).data

/** Reads what the job was dispatched with. A Problem names every variable that is missing or wrong. */
export const readDispatch = (environment: Environment): Dispatch => {
  const problems = variablesOf(environment).flatMap((variable) => problemOf(variable) ?? [])
  const { runId, wave, sha } = environment
  const mode = modeOf(environment)
  if (problems.length === 0 && mode && runId && wave && sha) return { mode, runId, wave, sha }
  throw new Problem('invalid', problems.join('\n'))
}
