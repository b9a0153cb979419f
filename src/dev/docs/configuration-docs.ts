import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'

const environment = new URL('../../../.env.example', import.meta.url)

type Variables = { names: { name: string; value: string; isSet: boolean }[]; meaning: string }

/** The paragraphs of .env.example: a comment, and the variables under it. The first comment is about the file itself. */
const paragraphs = (text: string): Variables[] => {
  const found: Variables[] = []
  let meaning: string[] = []
  for (const line of text.split('\n')) {
    const [, off, name = '', value = ''] = /^(#?)([A-Z][A-Z_]+)=(.*)$/.exec(line) ?? []
    if (off === undefined) {
      if (line.startsWith('# ')) meaning.push(line.slice(2))
      else meaning = []
      continue
    }
    const last = found.at(-1)
    const one = { name, value, isSet: off === '' }
    if (meaning.length > 0 || last === undefined) found.push({ names: [one], meaning: meaning.join(' ') })
    else last.names.push(one)
    meaning = []
  }
  return found
}

const row = ({ names, meaning }: Variables): string => {
  const shown = names.map(({ name, value, isSet }) =>
    value === '' ? `\`${name}\`` : `\`${name}\`${isSet ? ', for example' : ':'} \`${value}\``,
  )
  return `| ${shown.join('<br>')} | ${meaning.replaceAll('|', '\\|')} |`
}

/**
 * docs/configuration.md, made from .env.example: a test compares the committed file with this text, and the example with the
 * code.
 */
export const configurationDocs = (): string =>
  [
    '# Configuration',
    '',
    'Made from `.env.example` by `node src/dev/docs/configuration-docs.ts`; not to be edited by hand.',
    '',
    'The whole configuration is in environment variables. Values are trimmed, and empty ones count as unset. The start reports everything that is',
    'wrong at once and ends with exit status 1; `svc-server config check` reports the same without starting.',
    '',
    '| Variable, and its default or an example | |',
    '|---|---|',
    ...paragraphs(readFileSync(environment, 'utf8')).map(row),
    '',
    "A repository's own `svc.yml`, at its root, says how its stacks are found, planned and applied:",
    '[svc-yml.md](svc-yml.md).',
    '',
  ].join('\n')

if (import.meta.main) await writeFile(new URL('../../../docs/configuration.md', import.meta.url), configurationDocs())
