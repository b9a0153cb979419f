import picomatch from 'picomatch'
import t from 'tap'
import { compileGlob, globBase, globProblem } from '#domain/config/glob.ts'
import { measured } from '#test/helpers/pace.ts'

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
    // picomatch lets `a/**` match `a`, but not `*/**`: here both match
    if (/[*\]}]\/\*\*$/.test(glob)) continue
    const expected = picomatch(glob, { dot: true, noextglob: true })(path)
    if (compileGlob(glob)(path) !== expected) differing.push(`${glob} ${path}: ${expected}`)
    if (expected) hits += 1
  }
  t.same(differing, [])
  t.ok(hits > 300 && hits < 4000, `some match, some do not (${hits} of 5000)`)
})

t.test('a glob from a pull request cannot keep the service busy', async (t) => {
  const deep = Array(40).fill('a'.repeat(100)).join('/')
  const { ms } = measured(() => {
    t.notOk(compileGlob('**/*a*a*a/**/*a*a*a/**/*a*a*a/**/b')(deep))
    t.notOk(compileGlob(`${'*a'.repeat(149)}b`)('a'.repeat(4000)))
  })
  t.ok(ms < 2000, 'a backtracking match takes minutes for these')
})
