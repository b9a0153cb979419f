/** How often in a row each question went unanswered. */
const createFailures = () => {
  const inARow = new Map<string, number>()
  return {
    failed: (question: string): void => {
      inARow.set(question, (inARow.get(question) ?? 0) + 1)
    },
    answered: (question: string): void => {
      inARow.delete(question)
    },
    of: (question: string): number => inARow.get(question) ?? 0,
  }
}

/** Of all that this page asks. */
export const failures = createFailures()
