/*
 * Placeholders in the settings of stacks: `{name}` is replaced, `{{name}}` is the text `{name}`, and braces around anything but
 * a word mean themselves, as in the glob `{eu,us}.tfvars`.
 */

/** A stack, as far as its settings may name it. */
export type Named = { path: string; instance?: string | undefined }

const known = ['path', 'name', 'dir', 'instance'] as const

type Placeholder = (typeof known)[number]

const isKnown = (word: string): word is Placeholder => known.some((one) => one === word)

const BRACED = /\{\{[A-Za-z_]\w*\}\}|\{([A-Za-z_]\w*)\}/g

const listed = known.map((word) => `{${word}}`).join(', ')

/** A line of 1 MB with 170,000 paths of 2,500 letters would be 400 MB for one stack. */
const MOST = 16

/** Why a text's placeholders are refused; undefined if all are known. */
export const placeholderProblem = (text: string): string | undefined => {
  let count = 0
  for (const [written, word] of text.matchAll(BRACED)) {
    if (word !== undefined && !isKnown(word))
      return `'${written}' is no placeholder: ${listed} are; {${written}} is the text ${written}`
    count += 1
    if (count > MOST) return `has more than ${MOST} placeholders`
  }
  return undefined
}

/** The text with a letter for each placeholder: what is wrong with it is wrong whatever they stand for. */
export const withSamples = (text: string): string => text.replaceAll(BRACED, 'x')

const standsFor = (word: Placeholder, { path, instance }: Named): string | undefined => {
  if (word === 'path') return path
  if (word === 'instance') return instance
  const segments = path.split('/')
  return segments.at(word === 'name' ? -1 : -2) ?? '.'
}

/**
 * The text with each placeholder replaced; undefined if it asks for the instance of a stack that is none. `spell` writes a value
 * as the place of the text wants it.
 */
export const filled = (text: string, stack: Named, spell = (value: string) => value): string | undefined => {
  if (!text.includes('{')) return text
  let isWhole = true
  const out = text.replaceAll(BRACED, (written: string, word: string | undefined) => {
    if (word === undefined) return written.slice(1, -1)
    const value = isKnown(word) ? standsFor(word, stack) : written
    isWhole &&= value !== undefined
    return spell(value ?? '')
  })
  return isWhole ? out : undefined
}
