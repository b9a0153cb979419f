import type { Steps } from '../steps.ts'

/** Of all globs of a file. Checking so many takes some 0.1 s; 20,000 globs of 64 alternatives each are 10,000,000, and took a second. */
const mostChars = 2_000_000

/** A glob of more is refused, after so much work. */
const mostAlternatives = 65

/** Texts are looked through in some 1 ms. */
const STEP_TEXTS = 500

/** How many texts the braces of a text stand for. */
const alternativesIn = (text: string): number => {
  const open: { before: number; sum: number }[] = []
  let count = 1
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i]
    const group = open.at(-1)
    if (char === '\\') i += 1
    else if (char === '{') {
      open.push({ before: count, sum: 0 })
      count = 1
    } else if (group === undefined) continue
    else if (char === ',') {
      group.sum += count
      count = 1
    } else if (char === '}') {
      count = Math.min(group.before * (group.sum + count), mostAlternatives)
      open.pop()
    }
  }
  return count
}

function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) yield* textsOf(one)
}

/** Why a file's braces are refused; undefined if they stand for few enough characters. A glob is checked with its braces written out. */
export function* bracesProblem(file: unknown): Steps<string | undefined> {
  let [chars, looked] = [0, 0]
  for (const text of textsOf(file)) {
    looked += 1
    if (looked % STEP_TEXTS === 0) yield
    if (!text.includes('{')) continue
    const alternatives = alternativesIn(text)
    if (alternatives > 1) chars += alternatives * text.length
    if (chars > mostChars)
      return `has braces that stand for more than ${mostChars.toLocaleString('en')} characters: use fewer alternatives, or wildcards`
  }
  return undefined
}
