/** The words of `q` are all in the text, in any order and letter case. */
export const hasWords = (text: string, q = ''): boolean => {
  const lower = text.toLowerCase()
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word))
}
