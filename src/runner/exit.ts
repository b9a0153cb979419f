import { type ErrorCode, Problem } from '#errors.ts'

/** Exit statuses of the client (spec, 'Client exit-code mapping'). */
export const exit = { ok: 0, error: 1, changes: 2, refused: 3 } as const

export type ExitCode = (typeof exit)[keyof typeof exit]

const refusals: ReadonlySet<ErrorCode> = new Set(['forbidden', 'conflict', 'refused', 'superseded', 'locked'])

/** What an error is to whoever called: refused where the service says no, else an error. */
export const exitOf = (error: unknown): ExitCode =>
  error instanceof Problem && refusals.has(error.code) ? exit.refused : exit.error

/** Of several stacks in one job the gravest counts: an error, then a refusal, then changes. */
export const gravest = (codes: readonly ExitCode[]): ExitCode =>
  [exit.error, exit.refused, exit.changes].find((code) => codes.includes(code)) ?? exit.ok
