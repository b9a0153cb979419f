import t from 'tap'
import { checkRepoConfig, parseRepoConfig } from '#domain/config/config-file.ts'
import { measured } from '#test/helpers/pace.ts'

const told = (text: string): string[] => {
  const parsed = parseRepoConfig(text)
  return parsed.ok
    ? []
    : parsed.problems.map(({ line, column, key, message }) => `${line}:${column} ${key}: ${message}`)
}

t.test('a file that is nested without end is refused at its place', async (t) => {
  const deep = ': is nested more than 50 levels deep'
  const cases: [what: string, text: string, told: string][] = [
    ['lists, and a brace', `${'- '.repeat(4000)}{`, `1:100 ${deep}`],
    ['brackets', `version: 1\nignore: ${'['.repeat(100_000)}`, `2:58 ${deep}`],
    ['maps', Array.from({ length: 1000 }, (_, i) => `${' '.repeat(i)}a:\n`).join(''), `50:51 ${deep}`],
    [
      'aliases of aliases',
      Array.from({ length: 60 }, (_, i) => `a${i}: &a${i} [${i === 0 ? '' : `*a${i - 1}`}]\n`).join(''),
      `51:11 ${deep}`,
    ],
    ['an alias in itself', 'version: 1\nstacks: &a [*a]', "2:13 : the alias '*a' is inside of what it stands for"],
    ['the same, deeper', 'version: 1\nx: &a {b: [{c: *a}]}', "2:16 : the alias '*a' is inside of what it stands for"],
  ]
  for (const [what, text, expected] of cases) t.same(told(text), [expected], what)
})

t.test('of many problems the first 50 are told, and how many more there are', async (t) => {
  const keys = (count: number): string => Array.from({ length: count }, (_, i) => `key${i}: 1\n`).join('')
  t.equal(told(`version: 1\n${keys(50)}`).length, 50)
  const many = told(`version: 1\n${keys(10_000)}`)
  t.equal(many.length, 51)
  t.same(many.slice(48), [
    "50:1 key48: 'key48' is not known here",
    "51:1 key49: 'key49' is not known here",
    'undefined:undefined : and 9950 more problems',
  ])
  t.match(told(`${'] '.repeat(60)}`).at(-1), /and \d+ more problems$/, 'what is no YAML, too')
  const uploaded = checkRepoConfig({ version: 1, tool: 'tofu', ignore: new Array(1000).fill(1) })
  t.match(uploaded, { ok: false, problems: { length: 51, 50: { message: 'and 950 more problems' } } })
})

t.test('braces of all globs together stand for a bounded number of characters', async (t) => {
  const globs = (count: number, glob: string) =>
    `version: 1\nignore:\n${Array.from({ length: count }, (_, i) => `- '${glob}${i}'\n`).join('')}`
  const hostile = globs(10_000, '{a,b}'.repeat(6))
  t.same(told(hostile).length, 1)
  t.match(told(hostile)[0], /has braces that stand for more than 2,000,000 characters/)
  const { ms } = measured(() => told(hostile))
  t.ok(ms < 1500, `${Math.round(ms)} ms`)
  t.same(told(globs(10_000, 'modules/{network,database}/**/*.{tf,tofu}')), [], 'what people write is far below')
})

t.test('of long keys and words the beginning is told', async (t) => {
  const size = 5000
  const long = (count: number, line: (name: string) => string): string =>
    Array.from({ length: count }, (_, i) => line(`${i}`.padEnd(size, 'x'))).join('')
  const files = {
    keys: `version: 1\n${long(50, (name) => `? ${name}\n: 1\n`)}`,
    'keys of keys': `version: 1\ntools:\n  ? ${'y'.repeat(900)}\n  :\n${long(50, (name) => `    ? ${name}\n    : 1\n`)}`,
    aliases: `version: 1\nignore:\n${long(50, (name) => `- *${name}\n`)}`,
  }
  for (const [what, text] of Object.entries(files)) {
    const problems = told(text)
    t.ok(problems.length > 0 && problems.join('').length < 60_000, `${what}: ${problems.join('').length} characters`)
  }
  const name = 'x'.repeat(100)
  t.same(told(`version: 1\n? ${name}\n: 1\n? ${name}x\n: 1`), [
    `2:3 ${name}: '${name}' is not known here`,
    `4:3 ${name.slice(1)}…: '${name.slice(1)}…' is not known here`,
  ])
})

t.test('a large file is read, or refused, within a moment', async (t) => {
  const size = 1 << 20
  const files = {
    keys: Array.from({ length: 14_000 }, (_, i) => `key${i}: 1\n`).join(''),
    'keys that nearly are known': Array.from({ length: 14_000 }, (_, i) => `tol${i}: 1\n`).join(''),
    commas: `[${','.repeat(size - 1)}`,
    'wrong elements': `version: 1\nignore: [${'1,'.repeat(45_000)}]`,
    aliases: `version: 1\nx: &a 1\nignore: [${'*a,'.repeat(9000)}]`,
    'line breaks in quotes': `version: 1\nx: "${'\n '.repeat(size / 2 - 20)}"`,
    errors: ']\n'.repeat(size / 2),
  }
  for (const [what, text] of Object.entries(files)) {
    const { result: problems, ms } = measured(() => told(text))
    t.ok(ms < 4000, `${what}: ${Math.round(ms)} ms`)
    t.ok(problems.length > 0 && problems.length <= 51, what)
  }
})
