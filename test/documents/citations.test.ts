import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { files } from '#test/helpers/source-files.ts'

const root = join(import.meta.dirname, '../..')

const headings = (page: string): string[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title)

/** The comments of a file, each on one line. */
const commentsOf = (text: string): string =>
  (text.match(/^ *\/\*[\s\S]*?\*\/|(?:^ *\/\/ .*\n)+/gm) ?? [])
    .map((comment) => comment.replaceAll(/\n *(?:\*|\/\/) ?/g, ' '))
    .join('\n')

/** A page, and its sections if any are named. */
const citations = /docs\/[\w-]+\.md(?:(?:,| and)? '[^']+')*/g

const broken = (text: string): string[] =>
  [...commentsOf(text).matchAll(citations)].flatMap(([citation]) => {
    const [page = ''] = citation.split(/[,' ]/)
    if (!existsSync(join(root, page))) return [citation]
    const sections = [...citation.matchAll(/'([^']+)'/g)].map(([, section = '']) => section)
    return sections.every((section) => headings(page).includes(section)) ? [] : [citation]
  })

t.test('every page and section that a comment cites is there', async (t) => {
  const cited = files.filter(({ text }) => commentsOf(text).match(citations))
  t.ok(cited.length > 80)
  for (const { path, text } of cited) t.same(broken(text), [], path)
})

t.test('no comment cites anything that a reader does not have', async (t) => {
  const wrong = files.filter(({ text }) => /\bspec,? '|\(spec\b|\bthe spec\b/i.test(commentsOf(text)))
  t.same(
    wrong.map(({ path }) => path),
    [],
  )
})

t.test('a citation of something missing is found', async (t) => {
  const [known, section, page] = ['docs/interface.md', `'Errors' and 'Nothing'`, 'docs/nothing.md']
  t.same(broken(`/* (${known}, ${section}) */`), [`${known}, ${section}`])
  t.same(broken(`/** (${page}, 'Errors') */`), [`${page}, 'Errors'`])
  t.same(broken(`/*\n * (${known},\n * 'Runner token\n * rules', 5) */`), [])
})
