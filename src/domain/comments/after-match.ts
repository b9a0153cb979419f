/** The position after what a sticky expression matches here; undefined if it does not match, or if there is no position. */
export const afterMatch = (expression: RegExp, text: string, at: number | undefined): number | undefined => {
  if (at === undefined) return undefined
  expression.lastIndex = at
  return expression.test(text) ? expression.lastIndex : undefined
}
