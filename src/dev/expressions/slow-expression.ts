import { checkSync } from 'recheck'

/** What is wrong with an expression: its time, and a text that shows it; or that it could not be judged. */
export type Slow = { complexity: string; attack: string }

/** The slowest takes some 2.5 s, and more only on a busy machine. */
const timeoutMs = 60_000

/**
 * Whether a regular expression takes more than linear time for some text, searched for from each position of it. By recheck:
 * with automata, or, where an expression looks ahead or behind, by trying texts. Undefined if not.
 */
export const slowExpression = ({ source, flags }: { source: string; flags: string }): Slow | undefined => {
  // the others are a native program and a Java archive, which we do not install
  process.env.RECHECK_SYNC_BACKEND = 'pure'
  const found = checkSync(source, flags, { timeout: timeoutMs })
  if (found.status === 'safe') return undefined
  if (found.status === 'unknown') return { complexity: `not known: ${found.error.kind}`, attack: '' }
  return { complexity: found.complexity.summary, attack: found.attack.pattern }
}
