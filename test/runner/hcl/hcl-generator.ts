// biome-ignore-all lint/suspicious/noTemplateCurlyInString: HCL writes its templates like this
/** Random valid HCL from a seed. The same seed gives the same text, so a failure can be looked at. */
export const generateHcl = (seed: number): string => {
  let state = seed
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (n: number): number => Math.floor(random() * n)
  const pick = <T>(all: readonly T[]): T => all[below(all.length)] as T
  const chance = (share: number): boolean => random() < share
  const many = <T>(most: number, make: () => T): T[] => Array.from({ length: below(most + 1) }, make)
  const newline = chance(0.2) ? '\r\n' : '\n'

  const word = (): string =>
    pick(['a', 'name', 'key-1', 'größe', '_x', 'for', 'in', 'true_', 'x9', 'Ключ', 'null-ish', 'if'])
  const unique = (n: number): string[] => [...new Set(Array.from({ length: n }, word))]
  const space = (): string => pick(['', ' ', '  ', '\t', ' /* c } ] " */ '])
  const comment = (): string => pick(['', ' # it\'s "quoted', ' // {[(', ' # <<EOT', ' /* " */'])

  const character = (): string =>
    pick([
      'a',
      'Z',
      ' ',
      '-',
      '\\n',
      '\\t',
      '\\"',
      '\\\\',
      '\\u00e9',
      '\\U0001F600',
      '$',
      '%',
      '$${',
      '%%{',
      '{',
      '}',
      '#',
      '//',
      "'",
      'ß',
      '😀',
      '<<E',
    ])
  const plain = (): string =>
    many(8, character)
      .join('')
      .replaceAll(/\$+(?=\{)/g, '$$$$')
      .replaceAll(/%+(?=\{)/g, '%%')
  const quoted = (depth: number): string =>
    `"${many(3, () => (chance(0.3) && depth > 0 ? `\${${space()}${expression(depth - 1, true).replace(/^null$/, 'true')}${space()}}` : `.${plain()}.`)).join('')}"`
  const heredoc = (depth: number): string => {
    const indented = chance(0.5)
    const name = pick(['EOT', 'E-1', 'КОНЕЦ'])
    const line = (): string =>
      `${' '.repeat(below(5))}${pick(['text', '"', '\\n', "it's", '# no comment', '$${x}', '%%{', '}', '', 'EOTx', '<<EOT', depth > 0 ? '${ a.b }' : 'x'])}${newline}`
    return `<<${indented ? '-' : ''}${name}${newline}${many(5, line).join('')}${indented ? '  ' : ''}${name}`
  }
  const number = (): string => pick(['0', '1', '-7', '42', '1.5', '2.50', '1e3', '1.5E-2', '007', '123456789'])

  const list = (depth: number): string => {
    const items = many(4, () => expression(depth - 1, true))
    return `[${space()}${items.join(pick([', ', ',\n  ', ' ,']))}${items.length > 0 && chance(0.3) ? ',' : ''}${chance(0.3) ? '\n# end ]\n' : ''}]`
  }
  const object = (depth: number): string => {
    const entries = unique(below(4))
      .filter((name) => name !== 'for')
      .map((name) => {
        const key = chance(0.3) ? `"${name}"` : name
        return `${key}${space()}${pick(['=', ':'])} ${expression(depth - 1, true)}`
      })
    return chance(0.5) ? `{ ${entries.join(', ')} }` : `{\n${entries.map((entry) => `  ${entry}\n`).join('')}}`
  }
  const call = (depth: number): string =>
    pick([
      () => 'var.x',
      () => 'data.a.b[0].c["d"]',
      () => 'a[*].b',
      () => `f(${expression(depth - 1, true)}, ${list(depth)}...)`,
      () => `a ? ${quoted(depth)} : b`,
      () => '[for k, v in var.m : upper(k) if v != "}"]',
      () => '{ for k, v in var.m : k => v... }',
      () => `a == ${number()} && !b`,
      () => 'a <= 1 || b >= 2',
      () => 'x / y // z',
    ])().replace(/ \/\/ z$/, '')
  const expression = (depth: number, inBrackets: boolean): string => {
    if (depth <= 0) return pick([number(), 'true', 'false', 'null', `"${plain()}"`])
    return pick([
      number,
      () => quoted(depth),
      () => list(depth),
      () => object(depth),
      () => call(depth),
      () => (inBrackets ? quoted(depth) : heredoc(depth)),
    ])()
  }

  const attribute = (name: string, indent: string): string => {
    const value = expression(3, false)
    return `${indent}${name}${space()}=${space()}${value}${value.startsWith('<<') ? '' : comment()}${newline}`
  }
  const label = (): string => (chance(0.3) ? word() : `"${pick(['x', 'a b', 'q\\"q', '$${x}', 'ü'])}"`)
  const block = (labelled: number, depth: number, indent: string): string => {
    const type = `block${labelled}`
    const labels = Array.from({ length: labelled }, label)
    const head = `${indent}${type} ${labels.map((one) => `${one}${pick([' ', '  ', ''])}`).join('')}`
    if (chance(0.2)) return `${head} {}${comment()}${newline}`
    if (chance(0.2))
      return `${head}{ ${word()} = ${pick([number(), `"${plain()}"`, '[1, 2]', '{ a = "}" }'])} }${newline}`
    return `${head}{${comment()}${newline}${body(depth - 1, `${indent}  `)}${indent}}${newline}`
  }
  const body = (depth: number, indent: string): string => {
    const attributes = unique(below(5)).map((name) => attribute(name, indent))
    const blocks = depth > 0 ? many(3, () => block(below(3), depth, indent)) : []
    const parts = [...attributes, ...blocks, ...many(2, () => `${indent}${comment().trim()}${newline}`)]
    return parts.sort(() => random() - 0.5).join(chance(0.3) ? newline : '')
  }
  return body(3, '')
}
