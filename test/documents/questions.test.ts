import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

/* The questions of docs/ui.md are each answered in a browser, by a test whose name begins with the question. */

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const questions = read('docs/ui.md')
  .split('\n')
  .flatMap((line) => /^\| ([^|]+\?) \|/.exec(line)?.[1] ?? [])

/** The names of all tests that sit at a browser. */
const names = readdirSync(join(root, 'test/ui'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => read(join('test/ui', file)))
  .filter((text) => text.includes('startPlace('))
  .flatMap((text) => [...text.matchAll(/t\.test\(\s*'([^']+)'/g)].map(([, name = '']) => name.toLowerCase()))

t.test('every question of docs/ui.md is asked in a browser', async (t) => {
  t.ok(questions.length >= 20, `${questions.length} questions`)
  for (const question of questions) {
    t.ok(
      names.some((name) => name.startsWith(question.toLowerCase())),
      question,
    )
  }
})

t.test('no test asks what docs/ui.md does not', async (t) => {
  const asked = names.flatMap((name) => /^(?:what|which|who|why|how|where|has)\b[^?]*\?/.exec(name)?.[0] ?? [])
  t.same(
    asked.filter((one) => !questions.some((question) => question.toLowerCase() === one)),
    [],
  )
})
