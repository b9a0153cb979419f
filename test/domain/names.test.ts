import picomatch from 'picomatch'
import t from 'tap'
import { cronProblem } from '#domain/cron.ts'
import { parseDuration } from '#domain/duration.ts'
import { editDistance, nearest } from '#domain/edit-distance.ts'
import { compileGlob, globBase, globProblem } from '#domain/glob.ts'
import { compileRefGlob } from '#domain/glob-ref.ts'
import {
  isCheckName,
  isInstanceName,
  parseQualifiedKey,
  parseStackKey,
  pathFrom,
  repositoryPath,
} from '#domain/keys.ts'

const split = <T>(cases: Record<string, T>, of: (text: string) => T) =>
  Object.fromEntries(Object.keys(cases).map((text) => [text, of(text)]))

t.test('names', async (t) => {
  const instances = {
    prod: true,
    'eu-1.a_b': true,
    '1': true,
    default: false,
    DeFault: false,
    defaults: true,
    '-a': false,
    'a b': false,
    'a/b': false,
    '': false,
    ['x'.repeat(64)]: true,
    ['x'.repeat(65)]: false,
  }
  t.same(split(instances, isInstanceName), instances)
  const checks = {
    cost: true,
    'a.b-c_1': true,
    plan: false,
    apply: false,
    resolve: false,
    'a b': false,
    'a:b': false,
    '': false,
  }
  t.same(split({ ...checks, ['x'.repeat(65)]: false }, isCheckName), { ...checks, ['x'.repeat(65)]: false })
})

t.test('keys', async (t) => {
  t.same(parseStackKey('aws/app:eu'), { path: 'aws/app', instance: 'eu' })
  t.same(parseStackKey('aws/app'), { path: 'aws/app' })
  t.same(parseStackKey('a:b/c'), { path: 'a:b/c' }, 'a colon in a directory is no instance')
  t.same(parseStackKey('a:default'), { path: 'a:default' })
  t.same(parseQualifiedKey('acme/infra//aws/app:eu'), { repo: 'acme/infra', key: 'aws/app:eu' })
  t.equal(parseQualifiedKey('aws/app'), undefined)
  t.equal(parseQualifiedKey('acme//x'), undefined)
})

t.test('paths', async (t) => {
  const paths = {
    'a/b': 'a/b',
    './a': 'a',
    'a//b/': 'a/b',
    '.': '.',
    './': '.',
    '': undefined,
    '/a': undefined,
    'a/../b': undefined,
    '..a/b..': '..a/b..',
  }
  t.same(split<string | undefined>(paths, repositoryPath), paths)
  t.equal(pathFrom('aws/app', '../vars/x.tfvars'), 'aws/vars/x.tfvars')
  t.equal(pathFrom('.', 'x'), 'x')
  t.equal(pathFrom('aws', '../../x'), undefined, 'out of the repository')
})

t.test('globs over paths', async (t) => {
  const cases: [string, string[], string[]][] = [
    ['a/*', ['a/b', 'a/.b'], ['a', 'a/b/c', 'b/a']],
    ['a/**', ['a', 'a/b', 'a/b/.c'], ['ab']],
    ['**/*.md', ['x.md', 'a/.b/x.md'], ['x.mdx']],
    ['docs/', ['docs/a', 'docs/a/b'], ['docsx/a']],
    ['./a', ['a'], ['b']],
    ['{a,b}/?.tf', ['a/x.tf', 'b/y.tf'], ['a/xy.tf']],
    ['[ab]/x', ['a/x'], ['c/x']],
    ['a(b)', ['a(b)'], ['ab']],
    ['**', ['.', 'a'], []],
    ['*', ['a'], ['.', 'a/b']],
  ]
  for (const [glob, hits, misses] of cases) {
    t.equal(globProblem(glob), undefined)
    t.same([...hits, ...misses].filter(compileGlob(glob)), hits, glob)
  }
  t.match(globProblem('{a,b}'.repeat(7)), /braces for more than 64 globs/)
  t.match(globProblem(`{a,b,c,d,e,f}${'x'.repeat(280)}`), /\(or 1500 characters\)/)
  for (const bad of ['a/{b', 'a}', 'a/[b', '[a/b]', 'a\\', '{a,{b}']) t.match(globProblem(bad), /bracket/, bad)
  t.same([globBase('a/b/*.tf'), globBase('a/{b,c}/d'), globBase('*'), globBase('a/b/')], ['a/b', 'a', '', 'a/b'])
  t.match(globProblem('x'.repeat(301)), /longer than 300/)
})

t.test('globs match what picomatch says they match', async (t) => {
  const words = ['a', 'b', 'ab', '*', '*b', 'a*', '*a*b', '?', '?b', '**', '**', '[ab]', '[^a]', '{a,b*}', '.a']
  const names = ['a', 'b', 'ab', 'ba', 'abab', '.a', '.b']
  let state = 7
  const pick = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const join = (from: string[]) => Array.from({ length: 1 + pick(4) }, () => from[pick(from.length)]).join('/')
  const differing: string[] = []
  let hits = 0
  for (let i = 0; i < 5000; i += 1) {
    const [glob, path] = [join(words), join(names)]
    // picomatch has `a/**` match `a`, but `*/**` not: here both match
    if (/[*\]}]\/\*\*$/.test(glob)) continue
    const expected = picomatch(glob, { dot: true, noextglob: true })(path)
    if (compileGlob(glob)(path) !== expected) differing.push(`${glob} ${path}: ${expected}`)
    if (expected) hits += 1
  }
  t.same(differing, [])
  t.ok(hits > 300 && hits < 4000, `some match, some do not (${hits} of 5000)`)
})

t.test('a glob from a pull request cannot keep the service busy', async (t) => {
  const started = performance.now()
  const deep = Array(40).fill('a'.repeat(100)).join('/')
  t.notOk(compileGlob('**/*a*a*a/**/*a*a*a/**/*a*a*a/**/b')(deep))
  t.notOk(compileGlob(`${'*a'.repeat(149)}b`)('a'.repeat(4000)))
  t.ok(performance.now() - started < 2000, 'a backtracking match takes minutes for these')
})

t.test('the required workflow', async (t) => {
  const refs = [
    'acme/infra/.github/workflows/svc-plan.yml@refs/heads/main',
    'acme/infra/.github/workflows/svc-run.yml@refs/heads/release/1.x',
    'acme/infra/.github/workflows/other.yml@refs/heads/main',
    'acme/web/.github/workflows/svc-plan.yml@refs/tags/v1',
    'evil/infra/.github/workflows/svc-plan.yml@refs/heads/main',
  ]
  const cases: [string, number[]][] = [
    [refs[0] as string, [0]],
    ['acme/infra/.github/workflows/svc-*.yml@refs/heads/*', [0, 1]],
    ['acme/*/.github/workflows/svc-plan.yml@*', [0, 3]],
    ['acme/infra/*@*', []],
    ['acme/**@refs/heads/*', [0, 1, 2]],
    ['**/svc-*.yml@refs/heads/*', [0, 1, 4]],
    ['acme/infra/.github/workflows/svc-????.yml@refs/heads/mai?', [0]],
    ['acme/infra/.github/workflows/[a-o]*.yml@refs/*', [2]],
    ['acme/infra/.github/workflows/[^a-o]*.yml@refs/heads/[!m]*', [1]],
    ['acme/infra/.github/workflows/svc\\-plan.yml@refs/heads/m*n', [0]],
    ['*@*', []],
  ]
  for (const [glob, expected] of cases) {
    const compiled = compileRefGlob(glob)
    t.ok(compiled.ok, JSON.stringify(compiled))
    if (compiled.ok)
      t.same(
        [...refs.keys()].filter((i) => compiled.matches(refs[i] as string)),
        expected,
        glob,
      )
  }
  const open = compileRefGlob('acme/infra/.github/workflows/a.yml@*')
  t.equal(open.ok && open.matches('acme/infra/.github/workflows/a.yml'), false, 'a token without a ref')
  const slow = compileRefGlob(`${'*a'.repeat(30)}b@x`)
  t.equal(slow.ok && slow.matches(`${'a'.repeat(5000)}@x`), false, 'no glob takes long')
  for (const bad of ['', '*', 'a@', '@a', 'a@b@c', 'a//b@c', 'a/[b@c', 'a/[z-a]@c', 'a@[', 'a@b\\', 'a b@c'])
    t.notOk(compileRefGlob(bad).ok, `malformed: ${bad}`)
})

t.test('durations, schedules, spelling', async (t) => {
  const durations = {
    '24h': 86_400_000,
    '1h30m': 5_400_000,
    '90s': 90_000,
    '500ms': 500,
    '7d': 604_800_000,
    '': undefined,
    '5': undefined,
    '0h': undefined,
    '1w': undefined,
    '-1h': undefined,
  }
  t.same(split<number | undefined>(durations, parseDuration), durations)
  for (const good of ['* * * * *', '0 4 * * 1-5', '*/15 0-6/2 1,15 jan-MAR sun', '0 0 31 12 7'])
    t.equal(cronProblem(good), undefined, good)
  for (const bad of [
    '',
    '* * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * * 13 *',
    '* * * * 8',
    '5/10 * * * *',
    '*/0 * * * *',
    '5-1 * * * *',
    '1-2-3 * * * *',
    '* * * foo *',
    '1,,2 * * * *',
    '@daily',
  ])
    t.type(cronProblem(bad), 'string', bad)
  t.same(
    [
      editDistance('aprovals', 'approvals'),
      editDistance('ab', 'ba'),
      editDistance('', 'abc'),
      editDistance('kitten', 'sitting'),
    ],
    [1, 1, 3, 3],
  )
  t.equal(nearest('Ignor', ['stacks', 'ignore']), 'ignore')
  t.equal(nearest('x', []), undefined)
  const flags = ['url', 'sha', 'stack', 'work-dir']
  const meant = ['zzz', 'x', 'sah', 'stacks', 'work', 'wo', 'workdri'].map((word) => nearest(word, flags))
  t.same(meant, [undefined, undefined, 'sha', 'stack', 'work-dir', undefined, 'work-dir'], 'a slip, or a beginning')
})
