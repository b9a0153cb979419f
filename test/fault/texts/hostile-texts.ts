/*
 * Texts that are long and made of one thing: what a reader looks for and never finds, or finds at every place. Each unit is
 * repeated, and a tail ends the text in another way than it began.
 */

export const units: readonly string[] = [
  ...['\n', '\r\n', '\r', ' ', '\t', ' \n', 'x\n', 'x ', '\u00a0', '\u2028'],
  ...['a', '0', '-', '_', '.', ',', ';', ':', '#', '%'],
  ...['/', '//', './', '../', 'a/', '*', '**/', '*a', '?', '~'],
  ...['`', '`a', '"', "'", '\\', '\\"', '\\`', '$', '${', '%{'],
  ...['(', '()', '[', '[]', '{', '{}', '](', '![', '<', '<a '],
  ...['<!--', '<?', '<a x="', '- ', '> ', '=', 'a=b\n', 'a: ', '&a ', '\u001b['],
]

/**
 * How a text is made of its unit: `before` it what it would close, and then its end. What has a `filler` is half of that, from
 * the tail on, and a quarter of what comes before: each of many units may look through the whole of a long end. `units`: those
 * that it is made of, if not of all.
 */
export type Form = { before: string; tail: string; filler: string; units?: readonly string[] }

export const endingIn = (tail: string): Form => ({ before: '', tail, filler: '' })

export const forms: readonly Form[] = [
  ...['x', '', '\n', '"', ')', '>'].map(endingIn),
  { before: '', tail: '', filler: ' ' },
  { before: '', tail: ' "', filler: '\n' },
  { before: '(', tail: ' ', filler: ')' },
  { before: '[', tail: ' "x"', filler: ' ' },
  { before: '[', tail: ' "', filler: 'x' },
]

/** For who has seconds, not minutes: what shows most. */
export const fewForms: readonly Form[] = [
  endingIn('x'),
  { before: '[', tail: ' "', filler: 'x', units: units.filter((unit) => /^[({[\]<!]/.test(unit)) },
]

const times = (text: string, chars: number): string =>
  text === '' ? '' : text.repeat(Math.max(0, Math.floor(chars / text.length)))

/** A text of so many characters or a little less. */
export const hostileText = (unit: string, { before, tail, filler }: Form, chars: number): string => {
  const end = filler === '' ? tail : tail + times(filler, chars / 2)
  const start = filler === '' ? '' : times(before, chars / 4)
  return start + times(unit, chars - start.length - end.length) + end
}

export const toldForm = (unit: string, { before, tail, filler }: Form): string =>
  [
    ...(before === '' ? [] : [`${JSON.stringify(before)} × n`]),
    `${JSON.stringify(unit)} × n`,
    JSON.stringify(tail),
    ...(filler === '' ? [] : [`${JSON.stringify(filler)} × n`]),
  ].join(' + ')
