export type Position = { line: number; column: number }

/** Line and column (from 1) of an offset. Counted only for a message, never while reading. */
export const positionOf = (text: string, at: number): Position => {
  let line = 1
  let start = 0
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', start)) {
    line += 1
    start = next + 1
  }
  return { line, column: at - start + 1 }
}

/** A file that is not HCL, or not JSON: where, and what would be right. */
export class HclError extends Error {
  readonly line: number
  readonly column: number

  constructor(message: string, { line, column }: Position) {
    super(`${line}:${column}: ${message}`)
    this.name = 'HclError'
    this.line = line
    this.column = column
  }
}
