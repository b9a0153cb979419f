// biome-ignore-all lint/suspicious/noTemplateCurlyInString: HCL writes its templates like this
import type { Dice } from '../fuzz/dice.ts'

/** What the language is made of, and what comes close to it. */
const tokens = [
  ...[
    '"',
    '\\',
    '\n',
    '\r\n',
    '\t',
    ' ',
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    '=',
    '==',
    ':',
    ',',
    '.',
    '...',
    '*',
    '-',
    '!',
    '?',
  ],
  ...['${', '%{', '$${', '%%{', '$', '%', '~}', '${~', '%{ if a }', '%{ endif }', '%{ for i, x in y }', '%{ endfor }'],
  ...['<<E\n', '<<-E\n', '\nE\n', '<<', '<', '/*', '*/', '//', '#', '/', "'", ';', '@', '`', '^', '|', '&&'],
  ...[
    'null',
    'true',
    'false',
    'for',
    'in',
    'if',
    '0',
    '-1',
    '1e400',
    '0x1',
    '1.',
    '007',
    '1e-7',
    '99999999999999999999',
  ],
  ...[
    'file("../a")',
    'fileset(',
    'a',
    'a.b',
    'a[0]',
    'f(',
    'x {\n',
    'x "y" {\n',
    'x = 1\n',
    '"a" = 1',
    '__proto__',
    'constructor',
    'größe',
  ],
  ...['\\u0041', '\\U0001F600', '\\ud800', '\u0000', '\u00a0', '\u2028', '\ufeff', '\u{1F600}', 'e\u0301'],
]

const changeOnce = (text: string, corpus: readonly string[], dice: Dice): string => {
  const at = dice.below(text.length + 1)
  const end = Math.min(text.length, at + 1 + dice.below(dice.percent(70) ? 8 : 200))
  const insert = (piece: string, to = at): string => text.slice(0, at) + piece + text.slice(to)
  const other = dice.one(corpus)
  const from = dice.below(other.length + 1)
  switch (dice.below(6)) {
    case 0:
      return insert('', end)
    case 1:
      return insert(text.slice(at, end))
    case 2:
      return insert(dice.one(tokens), end)
    case 3:
      return insert(other.slice(from, from + dice.below(200)))
    case 4:
      return insert(dice.one(tokens).repeat(1 + dice.below(dice.percent(95) ? 3 : 300)))
    default:
      return insert(dice.one(tokens))
  }
}

/** Some text of the corpus with one to three changes, or a piece of it: short texts are what makes many possible. */
export const mutated = (corpus: readonly string[], dice: Dice): string => {
  const whole = dice.one(corpus)
  const lines = whole.split('\n')
  const from = dice.below(lines.length)
  let text = dice.percent(60) ? whole : lines.slice(from, from + 1 + dice.below(20)).join('\n')
  for (let changes = 1 + dice.below(3); changes > 0; changes -= 1) text = changeOnce(text, corpus, dice)
  return text
}
