import type { AffectedStack } from './resolution.ts'

/** One job of a wave: a stack, and everything that its job needs to know about it. */
export type MatrixEntry = Omit<AffectedStack, 'path' | 'reasons' | 'via'> & {
  /** The stack's directory; `key` distinguishes its instances. */
  stack: string
  sha: string
}

/** The job matrix of a resolution, in the order of the stacks given: by wave, then by key. */
export const matrixOf = (affected: readonly AffectedStack[], sha: string): { include: MatrixEntry[] } => ({
  include: affected.map(({ path, reasons: _reasons, via: _via, ...rest }) => ({ stack: path, ...rest, sha })),
})
