import { type ErrorCode, Problem } from '#errors.ts'

/** Exit statuses of the client (spec, 'Client exit-code mapping'). */
export const exit = { ok: 0, error: 1, changes: 2, refused: 3 } as const

export type ExitCode = (typeof exit)[keyof typeof exit]

const refusals: ReadonlySet<ErrorCode> = new Set(['forbidden', 'conflict', 'refused', 'superseded', 'locked'])

/** What an error is to whoever called: refused where the service says no, else an error. */
export const exitOf = (error: unknown): ExitCode =>
  error instanceof Problem && refusals.has(error.code) ? exit.refused : exit.error

/** The flag by which a step of a job takes changes for a success, and need not ask a shell to. */
export const changesOk = {
  says: 'exit 0, not 2, with changes: a step can then be `exec svc …`, whose signals reach svc and not a shell that keeps them',
} as const

export const forgiving = (code: ExitCode, isForgiven: boolean | undefined): ExitCode =>
  code === exit.changes && isForgiven === true ? exit.ok : code

/** Of several stacks in one job the gravest counts: an error, then a refusal, then changes. */
export const gravest = (codes: readonly ExitCode[]): ExitCode =>
  [exit.error, exit.refused, exit.changes].find((code) => codes.includes(code)) ?? exit.ok
