import type { RunRow } from '../../api/run-types.ts'

type Summary = NonNullable<RunRow['summary']>

/** A resource that a plan touches, with the name of the part of a summary that has it. */
export type Touched = { does: 'destroy' | 'replace' | 'change' | 'add'; sign: string; address: string }

const parts = [
  { does: 'destroy', sign: '−', list: 'destroyed' },
  { does: 'replace', sign: '±', list: 'replaced' },
  { does: 'change', sign: '~', list: 'changed' },
  { does: 'add', sign: '+', list: 'added' },
] as const

/** The addresses of a summary, destroys first. A summary may have counts without addresses. */
export const touchedOf = (summary: Summary): Touched[] =>
  parts.flatMap(({ does, sign, list }) => (summary[list] ?? []).map((address) => ({ does, sign, address })))
