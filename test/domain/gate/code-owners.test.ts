import t from 'tap'
import { type OwnerLine, ownerName, parseCodeOwners } from '#domain/gate/code-owners.ts'
import { coveredPaths } from '#domain/gate/covered-paths.ts'
import { finish } from '#domain/steps.ts'
import { measured } from '#test/helpers/pace.ts'

const parsed = (...lines: string[]): OwnerLine[] => finish(parseCodeOwners(lines.join('\n')))

/** The line of each path that has one. */
const linesOf = (text: string, paths: readonly string[]): Map<string, OwnerLine> =>
  new Map(finish(coveredPaths(text, paths)).flatMap(({ line, paths }) => paths.map((path) => [path, line])))

/** The line of one path. */
const ownersOf =
  (...lines: string[]) =>
  (path: string): OwnerLine | undefined =>
    linesOf(lines.join('\n'), [path]).get(path)

const matches = (pattern: string, path: string): boolean => ownersOf(`${pattern} @a`)(path) !== undefined

t.test('patterns match as the code host documents them', async (t) => {
  const cases: [pattern: string, yes: string[], no: string[]][] = [
    ['*', ['a', 'a/b', '.x'], []],
    ['*.js', ['a.js', 'a/b.js', 'x.js/y'], ['a.jsx', 'a.js.map']],
    ['/build/logs/', ['build/logs/a', 'build/logs/a/b'], ['build/logs', 'x/build/logs/a']],
    ['docs/*', ['docs/start.md'], ['docs/build-app/x.md', 'x/docs/a', 'docs']],
    ['apps/', ['apps/a', 'x/apps/a/b'], ['apps', 'x/apps']],
    ['/docs/', ['docs/a', 'docs/a/b'], ['x/docs/a', 'docs']],
    ['/apps/github', ['apps/github', 'apps/github/a'], ['x/apps/github', 'apps/githubs']],
    ['**/logs', ['logs', 'logs/a', 'build/logs', 'deeply/nested/logs/b'], ['logs2', 'xlogs/a']],
    ['logs', ['logs', 'a/logs', 'a/logs/b'], ['logs.txt']],
    ['a/b', ['a/b', 'a/b/c'], ['x/a/b', 'a/bc']],
    ['/*', ['a', '.x'], ['a/b']],
    ['/f*', ['foo', 'foo/a/b'], ['bar/foo']],
    ['/*/', ['a/b', 'a/b/c'], ['a']],
    ['a/*.tf', ['a/x.tf'], ['a/b/x.tf', 'b/a/x.tf']],
    ['a/*/c', ['a/b/c', 'a/b/c/d'], ['a/c', 'a/b/b/c']],
    ['a/**', ['a/b', 'a/b/c'], ['a', 'x/a/b']],
    ['a/**/', ['a/b', 'a/b/c'], ['a']],
    ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b/c'], ['x/a/b', 'a/xb']],
    ['a/**/b/c*', ['a/b/c1', 'a/x/b/c2'], ['a/b/d']],
    ['a/**/**/**/b', ['a/b', 'a/x/b', 'a/x/y/b/c'], ['x/a/b']],
    ['**/**/x', ['x', 'a/x', 'a/b/x/c'], ['xa']],
    ['**', ['a', 'a/b'], []],
    ['f?o', ['foo', 'x/fao'], ['fo', 'f/o', 'fooo']],
    ['f\\*o', ['f*o'], ['foo']],
    ['\\[a\\]', ['[a]', 'x/[a]/b'], ['a']],
    ['/my\\ app/', ['my app/a'], ['my/app']],
    ['{a,b}', ['{a,b}'], ['a', 'b']],
    ['Foo', ['Foo'], ['foo']],
    ['a+b(c)', ['a+b(c)', 'x/a+b(c)'], ['aab']],
    ['/', [], ['a', 'a/b']],
  ]
  for (const [pattern, yes, no] of cases) {
    t.same(parsed(`${pattern} @a`)[0]?.problem, undefined, pattern)
    for (const path of yes) t.ok(matches(pattern, path), `${pattern} has ${path}`)
    for (const path of no) t.notOk(matches(pattern, path), `${pattern} does not have ${path}`)
  }
})

t.test('the last matching line counts, and one without owners owns nothing', async (t) => {
  const of = ownersOf(
    '# comment',
    '* @global @acme/Everybody',
    '*.tf @terraform',
    '/apps/ @octocat docs@example.com # why',
    '/apps/github',
    'network @net',
    'network/ @below',
    '/apps/**/prod/ @sre',
    '',
    '/apps/x @one',
    '/apps/x @two',
  )
  const owners = (path: string) => `${of(path)?.line}: ${of(path)?.owners.map(ownerName).join(' ')}`
  const cases = {
    'README.md': '2: @global @acme/everybody',
    'main.tf': '3: @terraform',
    'apps/main.tf': '4: @octocat docs@example.com',
    'apps/github/a': '5: ',
    'a/network': '6: @net',
    'a/network/main.tf': '7: @below',
    'apps/eu/prod/main.tf': '8: @sre',
    'apps/prod/main.tf': '8: @sre',
    'apps/x/prod/main.tf': '11: @two',
  }
  for (const [path, expected] of Object.entries(cases)) t.equal(owners(path), expected, path)
  t.equal(ownersOf('/a @x')('b'), undefined, 'and a path that no line names has no owner')
})

t.test('owners are users, teams and e-mail addresses', async (t) => {
  const lines = parsed('* @ann @Ann_corp @acme/Team.one-2 a.b@example.com')
  t.same(lines[0]?.owners, [
    { kind: 'user', login: 'ann' },
    { kind: 'user', login: 'Ann_corp' },
    { kind: 'team', team: 'acme/team.one-2' },
    { kind: 'email', address: 'a.b@example.com' },
  ])
})

t.test('a line that the code host skips keeps the paths that its author meant, with what is wrong', async (t) => {
  const cases: [line: string, problem: RegExp, path: string][] = [
    ['a/[bc]/* @x', /character ranges/, 'a/b/main.tf'],
    ['!docs/ @x', /cannot be negated/, 'docs/a'],
    ['\\#notes @x', /cannot begin with/, '#notes'],
    ['docs/ @@x', /'@@x' is not an owner/, 'docs/a'],
    ['docs/ x @a @a/b/c', /'x', '@a\/b\/c' is not an owner/, 'docs/a'],
    ['docs/ @x@example.com', /not an owner/, 'docs/a'],
    ['docs\\/a @x', /backslash before/, 'anything'],
    ['docs\\', /at its end/, 'anything'],
    ['docs/[ @x', /character ranges/, 'anything'],
    [`${'a'.repeat(5000)} @x`, /longer than/, 'a'.repeat(5000)],
    [`docs/ ${'@x '.repeat(20_000)}`, /longer than 32 KB/, 'docs/a'],
  ]
  for (const [line, problem, path] of cases) {
    const found = ownersOf('* @everybody', line)(path)
    t.equal(found?.line, 2, line.slice(0, 40))
    t.match(found?.problem, problem)
  }
  t.equal(ownersOf('* @everybody', 'a/[bc]/* @x')('a/d/main.tf')?.line, 1, 'and no others')
  t.match(ownersOf(`${'# x\n'.repeat(800_000)}* @a`)('a/b')?.problem, /over 3 MB/)
})

t.test('lines are counted as they are written', async (t) => {
  const lines = parsed('\uFEFF# a\r\n\r\n\t/a\t@x\r\n   # b\n/b @y #c\n/c#d @z')
  t.same(
    lines.map(({ line, pattern, owners }) => [line, pattern, owners.length]),
    [
      [3, '/a', 1],
      [5, '/b', 1],
      [6, '/c#d', 1],
    ],
  )
})

t.test('a large file, and patterns made to be slow, are matched quickly', async (t) => {
  const paths = Array.from({ length: 3000 }, (_, i) => `teams/team-${i}/stacks/prod/main.tf`)
  const large = Array.from({ length: 40_000 }, (_, i) => `/teams/team-${i}/ @t${i}`).join('\n')
  const looked = measured(() => linesOf(large, paths))
  t.equal(
    looked.result
      .get(paths[7] as string)
      ?.owners.map(ownerName)
      .join(),
    '@t7',
  )
  t.ok(looked.ms < 700, `3,000 paths in 40,000 lines: ${Math.round(looked.ms)} ms`)
  const slow = ownersOf(`${'*a'.repeat(1000)} @x`, `${'**/a*a/'.repeat(100)}x @y`)
  const tried = measured(() => slow(`${`${'a'.repeat(200)}/`.repeat(20)}b`))
  t.ok(tried.ms < 500, `stars over a path of 4,000 characters: ${Math.round(tried.ms)} ms`)
})

t.test(
  '300 lines with wildcards and 3,000 long paths are matched within seconds, or it is said that they are not',
  async (t) => {
    const wild = Array.from({ length: 300 }, (_, i) => `*service-${i}*.tf @t${i}`)
    const long = Array.from({ length: 3000 }, (_, i) => `${'directory/'.repeat(100)}my-service-${i % 400}-main-${i}.tf`)
    const cases: [what: string, lines: string[], paths: string[], isAnswered: boolean][] = [
      ['lines as people write them', wild, long, true],
      [
        '40,000 of them, where none of the paths is',
        Array.from({ length: 40_000 }, (_, i) => `/teams/*-${i}/ @t`),
        long,
        true,
      ],
      ['19,000 of them', Array.from({ length: 19_000 }, (_, i) => `${i}*.tf @t`), long.slice(0, 200), true],
      ['more than 20,000', Array.from({ length: 20_001 }, (_, i) => `${i}*.tf @t`), long.slice(0, 1), false],
      [
        'stars that nearly match',
        Array.from({ length: 300 }, (_, i) => `${'*a'.repeat(20)}${i} @x`),
        long.map((path) => path.replaceAll(/\w/g, 'a')),
        true,
      ],
      [
        'stars in each directory',
        Array.from({ length: 300 }, (_, i) => `${'**/a*a*/'.repeat(20)}${i}*x @y`),
        Array.from({ length: 3000 }, (_, i) => `${i}/${`${'a'.repeat(20)}${i}/`.repeat(150)}b`),
        false,
      ],
    ]
    for (const [what, lines, paths, isAnswered] of cases) {
      const { result: found, ms } = measured(() => [...linesOf(lines.join('\n'), paths).values()])
      t.ok(ms < 5000, `${what}: ${Math.round(ms)} ms`)
      t.equal(!found.some((line) => line.problem?.includes('take too long')), isAnswered, what)
    }
    const answered = ownersOf(...wild)
    t.equal(answered(long[7] as string)?.line, 8)
    t.equal(answered('a/service-9.txt'), undefined)
  },
)
