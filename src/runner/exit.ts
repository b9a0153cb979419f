import { type ErrorCode, Problem } from '#errors.ts'

/** Exit statuses of the client (docs/client.md, 'Exit status'). */
export const exit = { ok: 0, error: 1, changes: 2, refused: 3 } as const

export type ExitCode = (typeof exit)[keyof typeof exit]

const refusals: ReadonlySet<ErrorCode> = new Set(['forbidden', 'conflict', 'refused', 'superseded', 'locked'])

/** The exit status for an error: refused if the service says no, else an error. */
export const exitOf = (error: unknown): ExitCode =>
  error instanceof Problem && refusals.has(error.code) ? exit.refused : exit.error

/** The flag with which a job's step takes changes for a success, without a shell's help. */
export const changesOk = {
  says: 'exit 0, not 2, with changes: a step can then be `exec svc …`, and signals reach svc instead of a shell that keeps them',
} as const

export const forgiving = (code: ExitCode, isForgiven: boolean | undefined): ExitCode =>
  code === exit.changes && isForgiven === true ? exit.ok : code

/** The exit status of a job with several stacks is the gravest: an error, then a refusal, then changes. */
export const gravest = (codes: readonly ExitCode[]): ExitCode =>
  [exit.error, exit.refused, exit.changes].find((code) => codes.includes(code)) ?? exit.ok
