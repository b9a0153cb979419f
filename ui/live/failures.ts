import { type ApiProblem, isGone } from '../api/errors.ts'

/** That a question goes unanswered. */
export type Failures = {
  /** How often in a row. */
  inARow: number
  /** From 0 to 1, drawn with each failure (rhythm.ts). */
  spread: number
  /** When the first of them was, by this machine's clock in milliseconds. */
  since: number
  /** Why, the last time: it is told until there is an answer, also while it is asked again. */
  problem: ApiProblem
}

type Failed = Omit<Failures, 'inARow' | 'since'> & { at: number }

const createFailures = () => {
  const known = new Map<string, Failures>()
  return {
    // not drawn whenever it is used: with another number each time a part is drawn, its next question would be put off each time
    failed: (question: string, { spread, problem, at }: Failed): void => {
      const { inARow = 0, since = at } = known.get(question) ?? {}
      known.set(question, { inARow: inARow + 1, spread, since, problem })
    },
    /** It was answered, or nobody has it any more. */
    forget: (question: string): void => {
      known.delete(question)
    },
    of: (question: string): Failures | undefined => known.get(question),
  }
}

/** Of all that this page asks. */
export const failures = createFailures()

/**
 * Why a question has no answer, or its answer is not to be shown any more. The library names it by its key as text, a list of texts and
 * numbers.
 */
export const whyUnanswered = (key: readonly (string | number)[], data: unknown): ApiProblem | undefined => {
  const problem = failures.of(JSON.stringify(key))?.problem
  return problem !== undefined && (data === undefined || isGone(problem)) ? problem : undefined
}
