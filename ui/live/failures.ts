/** How often in a row a question went unanswered; `spread`, from 0 to 1, is drawn with each failure (rhythm.ts). */
export type Failures = { inARow: number; spread: number }

const none: Failures = { inARow: 0, spread: 0 }

const createFailures = () => {
  const known = new Map<string, Failures>()
  const of = (question: string): Failures => known.get(question) ?? none
  return {
    // not drawn whenever it is used: with another number each time a part is drawn, its next question would be put off each time
    failed: (question: string, spread: number): void => {
      known.set(question, { inARow: of(question).inARow + 1, spread })
    },
    answered: (question: string): void => {
      known.delete(question)
    },
    of,
  }
}

/** Of all that this page asks. */
export const failures = createFailures()
