/** Arguments that the tool adds to those of a plan, an apply or any command. */
const NAMES = ['TF_CLI_ARGS', 'TF_CLI_ARGS_plan', 'TF_CLI_ARGS_apply']

/** A word as a shell reads it: runs of plain characters, of quoted text, and of escaped characters. */
const PIECE = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)|(\s+)/gsy

/** The words of a command line. What is quoted is taken as it is; a quote that is not closed ends the line. */
const wordsIn = (line: string): string[] => {
  const words: string[] = []
  let word: string | undefined
  for (const [, single, double, escaped, plain, space] of line.matchAll(PIECE)) {
    if (space === undefined) {
      word = (word ?? '') + (single ?? double?.replaceAll(/\\(.)/gs, '$1') ?? escaped ?? plain ?? '')
    } else if (word !== undefined) {
      words.push(word)
      word = undefined
    }
  }
  return word === undefined ? words : [...words, word]
}

/** What -var and -var-file of these variables give the tool: names with texts, and paths. */
export const variableArguments = (
  environment: Readonly<Record<string, string>>,
): { values: [name: string, text: string][]; files: string[] } => {
  const found: { values: [string, string][]; files: string[] } = { values: [], files: [] }
  for (const name of NAMES) {
    const words = wordsIn(environment[name] ?? '')
    for (const [i, word] of words.entries()) {
      const [, flag, inline] = /^--?(var|var-file)(?:=(.*))?$/s.exec(word) ?? []
      const text = inline ?? words[i + 1] ?? ''
      const [, variable, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
      if (flag === 'var-file') found.files.push(text)
      else if (flag === 'var' && variable !== undefined) found.values.push([variable.trim(), value ?? ''])
    }
  }
  return found
}
