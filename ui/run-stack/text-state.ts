import type { ApiProblem } from '../api/errors.ts'
import type { RunRow } from '../api/run-types.ts'
import { capital } from '../parts/words.ts'
import { isOpen } from '../status/phases.ts'

/** What there is to read of a stack's plan. */
export type TextState =
  | { is: 'loading' }
  | { is: 'here'; text: string; isCut: boolean }
  | { is: 'gone'; since: string }
  | { is: 'none'; why: string }
  | { is: 'broken'; problem: ApiProblem }

type Known = Pick<RunRow, 'status' | 'plan_output' | 'truncated' | 'plan_text' | 'plan_url' | 'plan_bytes'>

/** Whether there is one, or was: asking for what never was would be answered as an error. */
export const mayHaveText = ({ plan_text, plan_url, plan_bytes }: Known): boolean =>
  plan_text !== undefined || plan_url !== undefined || plan_bytes !== undefined

/** The client stops at 256 KB; a row that has only a beginning of what is in the bucket says `truncated` too. */
const cutAt = 256 * 1024 - 4096

const isCut = ({ truncated, plan_url, plan_bytes }: Known): boolean =>
  truncated === true && (plan_url === undefined || plan_bytes === undefined || plan_bytes >= cutAt)

/** What a page says of a text that was asked for, if it may be there: `text` and `problem` are what was answered. */
export const textState = (row: Known, text: string | undefined, problem: ApiProblem | undefined): TextState => {
  if (text !== undefined && text !== '') return { is: 'here', text, isCut: isCut(row) }
  if (!mayHaveText(row) || text === '') return { is: 'none', why: whyNone(row) }
  if (problem === undefined) return { is: 'loading' }
  if (problem.status !== 404) return { is: 'broken', problem }
  const since = problem.details?.removed_at
  return typeof since === 'string' ? { is: 'gone', since } : { is: 'none', why: sentence(problem.message) }
}

const neverRan: readonly RunRow['status'][] = ['blocked', 'skipped', 'superseded', 'unknown']

const whyNone = ({ status, plan_output }: Known): string => {
  if (plan_output === 'summary')
    return 'No text of this stack is kept: svc.yml says `plan_output: summary`, which keeps the counts alone.'
  if (status === 'pending') return 'Its turn has not come: the text comes with the report of its job.'
  if (isOpen(status)) return `It is ${status} now: the text comes with the report of its job.`
  return neverRan.includes(status) ? 'No job has reported it.' : 'Its job reported no text.'
}

/** A message of the API as a sentence of a page. */
const sentence = (message: string): string => `${capital(message)}.`
