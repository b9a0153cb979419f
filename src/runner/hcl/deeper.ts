/** Expressions that may be evaluated for each other. A local that takes another, which takes another, is as deep as one likes. */
const MOST_DEEP = 400

let depth = 0

/** What is evaluated for an expression that is being evaluated; not known where that goes too deep for the process. */
export const oneDeeper = <T>(evaluated: () => T): T | undefined => {
  if (depth >= MOST_DEEP) return undefined
  depth += 1
  try {
    return evaluated()
  } finally {
    depth -= 1
  }
}
