const line = /^( *)([-+~±]) /gm

const marks: Readonly<Record<string, string>> = { '~': '!', '±': '-/+' }

/**
 * A plan or a list of addresses as the body of a `diff` block: the sign of each line stands in front of its indentation, `!` in
 * the place of `~`, so the code host colours what is added, changed and destroyed. It colours by a line's first character alone.
 */
export const planDiff = (text: string): string =>
  text.replace(line, (_, indent: string, sign: string) => `${marks[sign] ?? sign}${indent} `)
