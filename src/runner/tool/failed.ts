import type { StackResult } from '#domain/result.ts'
import { Problem } from '#errors.ts'
import type { Ended } from './run-program.ts'

/** Thrown while a stack is worked on: what its result says about the failure. */
export class Failed extends Error {
  readonly result: Pick<StackResult, 'status' | 'exit_code' | 'error_text'>

  constructor(status: 'failure' | 'error', text: string, code?: number | null) {
    super(text)
    this.result = { status, error_text: text, ...(code === null || code === undefined ? {} : { exit_code: code }) }
  }
}

/** The result to report for a thrown error. A mistake of the client itself is thrown again. */
export const failureOf = (error: unknown): Failed['result'] => {
  if (error instanceof Failed) return error.result
  if (error instanceof Problem) return { status: 'error', error_text: error.message }
  throw error
}

/** How a program ended, in words that follow its name. */
export const endText = ({ code, signal }: Ended): string =>
  code === null ? `was ended by ${signal}` : `ended with exit status ${code}`
