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

export const tails: readonly string[] = ['x', '', '\n', '"', ')', '>']

/** A text of so many characters or a little less, with its tail. */
export const hostileText = (unit: string, tail: string, chars: number): string =>
  unit.repeat(Math.floor((chars - tail.length) / unit.length)) + tail
