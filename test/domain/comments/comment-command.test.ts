import t from 'tap'
import { readCommand } from '#domain/comments/comment-command.ts'
import { saidLines } from '#domain/comments/comment-lines.ts'
import { unmatchedComment } from '#domain/comments/unmatched-comment.ts'
import { selectKeys } from '#domain/resolution/select-keys.ts'
import { finish } from '#domain/steps.ts'
import { measured } from '#test/helpers/pace.ts'
import { lines, table, told } from './told-command.ts'

const select = (...given: Parameters<typeof selectKeys>) => finish(selectKeys(...given))

t.test('a command is a line that begins with the service and a verb', async (t) => {
  table(t, [
    ['svc plan', 'plan'],
    ['svc apply', 'apply'],
    ['svc unlock', 'unlock'],
    ['svc help', 'help'],
    ['SVC Apply', 'apply'],
    ['  svc \t apply  ', 'apply'],
    ['svc apply\r\n', 'apply'],
    [lines('Looks good.', '', 'svc apply', 'Thanks!'), 'apply'],
    [lines('Looks good,', 'svc apply'), 'apply'],
    [lines('svc plan', 'svc apply'), 'plan'],
    [lines('svc status', 'svc apply'), 'apply'],
    ['svc', '-'],
    ['svc status', '-'],
    ['svc apply.', '-'],
    ['please svc apply', '-'],
    ['/svc apply', '-'],
    ['@svc apply', '-'],
    ['svcapply', '-'],
    ['svc-apply', '-'],
    ['- svc apply', '-'],
    ['# svc apply', '-'],
    ['**svc apply**', '-'],
    [lines('svc', 'apply'), '-'],
    ['', '-'],
  ])
})

t.test('the words after the verb are keys and globs', async (t) => {
  table(t, [
    ['svc apply aws/prod', 'apply aws/prod'],
    ['svc apply aws/prod, aws/app:eu', 'apply aws/prod aws/app:eu'],
    ['svc apply aws/** `aws/*`,`*x*`', 'apply aws/** aws/* *x*'],
    [String.raw`svc apply aws/\*\* my\_app`, 'apply aws/** my_app'],
    ['svc apply `my app/prod`', 'apply my app/prod'],
    ['svc apply `open', 'apply `open'],
    ['svc help me, please', 'help'],
    ['svc apply --force', '? apply'],
    ['svc plan aws/prod -target=x', '? plan'],
    ['svc unlock `--all`', '? unlock'],
    [`svc apply ${'k '.repeat(100)}`, `apply ${'k '.repeat(100).trim()}`],
    [`svc apply ${'k '.repeat(101)}`, '? apply'],
  ])
  const read = readCommand({ verb: 'apply', text: ' --force|`x`' })
  const message = read.kind === 'reply' ? read.message : ''
  t.match(message, /<code>--force&#124;&#96;x&#96;<\/code> is not an option/, 'the written text is not markup')
  t.match(message, '`svc apply [key…]`')
  t.equal(told(message), '-', 'and the answer is not itself a command')
})

t.test('code is not a command', async (t) => {
  table(t, [
    ['`svc apply`', '-'],
    ['```svc apply```', '-'],
    [lines('```', 'svc apply', '```'), '-'],
    [lines('~~~', 'svc apply', '~~~'), '-'],
    [lines('```sh', 'svc apply', '```', 'svc plan'), 'plan'],
    [lines('````', '```', 'svc apply', '````', 'svc plan'), 'plan'],
    [lines('```', '~~~', 'svc apply', '~~~', '```', 'svc plan'), 'plan'],
    [lines('```', 'svc apply'), '-'],
    [lines('``` not closed by', '``` info', 'svc apply'), '-'],
    [lines('text', '```', 'svc apply', '```'), '-'],
    [lines('- ```', '  svc apply', '  ```', 'svc plan'), 'plan'],
    [lines('1. Do', '', '   ```', '   svc apply', '   ```'), '-'],
    ['    svc apply', '-'],
    ['\tsvc apply', '-'],
    ['  \tsvc apply', '-'],
    ['   svc apply', 'apply'],
    [lines('text', '    svc apply'), '-'],
    [lines('`a', 'svc apply', 'b`'), '-'],
    [lines('``a `', 'svc apply', '``'), '-'],
    [lines('it`s', 'svc apply'), 'apply'],
    [lines('it`s', '', 'svc apply', '', 'it`s'), 'apply'],
    [lines('`a``', 'svc apply'), 'apply'],
    [lines('\\`a', 'svc apply', 'b\\`'), 'apply'],
    [lines('\\\\`a', 'svc apply', 'b`'), '-'],
    [lines('<pre>', 'svc apply', '</pre>'), '-'],
    [lines('<pre>', '', 'svc apply', '</pre>', 'svc plan'), 'plan'],
    [lines('see <code>', 'svc apply', '</code>'), '-'],
    [lines('<PRE>x</PRE>', 'svc apply'), 'apply'],
    ['``` \u2028\nsvc apply\n```', '-'],
    [lines('```', 'x', '```\u00a0', 'svc apply', '```', 'svc plan'), 'plan'],
  ])
})

t.test('code that begins in an item of a list ends with the item', async (t) => {
  table(t, [
    [lines('- ```', '  x', '```', 'svc apply', '```'), '-'],
    [lines('1. ```', '   x', '  ```', 'svc apply', '```'), '-'],
    [lines('- ```', 'x', '  ```', 'svc apply', '```'), '-'],
    [lines('- x', '', '  ```', '  y', '```', 'svc apply', '```'), '-'],
    [lines('- x', '', '  y', '', '  ```', '  z', '```', 'svc apply', '```'), '-'],
    [lines('x', '2. ```', '```', 'svc apply', '```'), '-'],
    [lines('x', '2. ```', '   ```', 'svc apply', '   ```'), '-'],
    [lines('- x', '  2. ```', '     ```', '  svc apply', '     ```'), '-'],
    [lines('1. x', '2. ```', '', '   y', '   ```', 'svc apply'), 'apply'],
    [lines('x', '1. ```', '   y', '   ```', 'svc apply'), 'apply'],
    [lines('- x', '', '  ```', '  y', '  ```', '', 'svc apply'), 'apply'],
    [lines('- x', '', 'y', '', '  ```', 'z', '```', 'svc apply'), 'apply'],
    [lines('> - ```', '> x', 'svc apply'), '-'],
    [lines('> text', '>  ```', '> code', '>  ```', '>  more', 'svc apply'), '-'],
    [lines('> - x', '>', '>   ```', '> y', 'svc apply'), '-'],
    [lines('> x', '> 2. ```', '>    y', 'svc apply'), '-'],
    [lines('> - ```', '>   x', '>   ```', 'svc apply'), 'apply'],
  ])
})

t.test('a quote is not a command', async (t) => {
  table(t, [
    ['> svc apply', '-'],
    ['>svc apply', '-'],
    ['  > > svc apply', '-'],
    ['- > svc apply', '-'],
    [lines('> svc apply', '', 'svc plan'), 'plan'],
    [lines('> what is said', 'svc apply'), '-'],
    [lines('> what is said', '\u00a0', 'svc apply'), '-'],
    [lines('> what is said', '-\u00a0mine', 'svc apply'), '-'],
    [lines('- > what is said', 'svc apply'), '-'],
    [lines('> ```', '> code', '> ```', 'svc apply'), 'apply'],
    [lines('> ```', 'svc apply'), 'apply'],
    [lines('> # Title', 'svc apply'), 'apply'],
    [lines('>', 'svc apply'), 'apply'],
    [lines('> said', '```', 'svc apply', '```', 'svc plan'), 'plan'],
    [lines('> said', '- mine', 'svc apply'), 'apply'],
    [lines('<blockquote>', '', 'svc apply', '', '</blockquote>', '', 'svc plan'), 'plan'],
  ])
})

t.test('reading a comment is linear in its length', async (t) => {
  const size = 65_536
  const hostile = [
    '`'.repeat(size),
    Array.from({ length: 350 }, (_, i) => '`'.repeat(i + 1)).join(' '),
    '- '.repeat(size / 2),
    '> '.repeat(size / 2),
    '<'.repeat(size),
    '<!-- --><code>'.repeat(size / 14),
    '\\'.repeat(size),
    `svc apply ${'`a '.repeat(size / 3)}`,
    `svc${' '.repeat(size)}x`,
    '- - -\n> `<!--\n'.repeat(size / 13),
    `svc apply a${','.repeat(size)}x`,
    `svc apply ${'a,'.repeat(size / 2)}`,
    '<a x="'.repeat(size / 6),
    '<a x=" y=\''.repeat(size / 10),
    '<a b="<a c=" d="'.repeat(size / 16),
    '![['.repeat(size / 3),
    '](a "'.repeat(size / 5),
    `[${'](a'.repeat(size / 4)}`,
    '[a](b "\\"'.repeat(size / 9),
    `${'['.repeat(8000)}${']('.repeat(8000)} "${'x'.repeat(40_000)}`,
    `${'['.repeat(8000)}${']('.repeat(8000)}${' '.repeat(40_000)}`,
    `${'['.repeat(8000)}${']('.repeat(8000)} "x"${' '.repeat(40_000)}`,
    `${'['.repeat(8000)}${'](<a>]('.repeat(3000)} "${'x'.repeat(36_000)}`,
    '](<'.repeat(size / 3),
    '[a]: b "\n'.repeat(size / 9),
    '<?'.repeat(size / 2),
    '<!--<'.repeat(size / 5),
    '<details>\n\n'.repeat(size / 11),
    '<table><code>'.repeat(size / 13),
    '| <table>\n\n'.repeat(size / 11),
    '> <b\n\n'.repeat(size / 8),
    '<div a="<a b="'.repeat(size / 14),
    '[^1]: <a\n    x\n'.repeat(size / 15),
    '> - '.repeat(size / 4),
    '[^1]: '.repeat(size / 6),
    '<![CDATA[ <!x '.repeat(size / 14),
  ]
  const { ms } = measured(() => hostile.map(told))
  t.ok(ms < 1500, `${hostile.length} comments of the longest kind in ${Math.round(ms)} ms`)
  t.same(saidLines(lines('a', '> b', 'c', '', '`d', 'e`', 'f')), ['a', '`d', 'f'])
})

t.test('keys select stacks', async (t) => {
  const keys = ['aws/app:eu', 'aws/app:us', 'aws/db', 'aws/db/replica', 'gcp/db', '.']
  const cases: [globs: string[], selected: string[], unmatched: string[]][] = [
    [[], keys, []],
    [['aws/db'], ['aws/db'], []],
    [['aws/app'], ['aws/app:eu', 'aws/app:us'], []],
    [['aws/app:us', 'aws/db'], ['aws/app:us', 'aws/db'], []],
    [['aws/*'], ['aws/app:eu', 'aws/app:us', 'aws/db'], []],
    [['aws/**'], ['aws/app:eu', 'aws/app:us', 'aws/db', 'aws/db/replica'], []],
    [['aws/db/'], ['aws/db', 'aws/db/replica'], []],
    [['**/*:eu'], ['aws/app:eu'], []],
    [['*/db'], ['aws/db', 'gcp/db'], []],
    [['**'], keys, []],
    [['.'], ['.'], []],
    [['aws/db', 'nope', 'x/*'], ['aws/db'], ['nope', 'x/*']],
    [['aws'], [], ['aws']],
    [['/aws/db', '../db'], [], ['/aws/db', '../db']],
    [['nope', 'nope'], [], ['nope']],
  ]
  for (const [globs, selected, unmatched] of cases) {
    const found = select(globs, keys)
    t.same([found.keys, found.unmatched.map(({ glob }) => glob)], [selected, unmatched], globs.join(' '))
  }
  t.same(select(['a[b', 'b'], ['a[b']).keys, ['a[b'], 'a key is itself, whatever it contains')
  const tags = new Map([
    ['aws/app:us', ['web']],
    ['gcp/db', ['db', 'web']],
  ])
  t.same(select(['tag:web', 'aws/db'], keys, tags).keys.sort(), ['aws/app:us', 'aws/db', 'gcp/db'])
  t.same(select(['tag:db'], ['tag:db', ...keys], tags).keys, ['tag:db'], 'a key is itself')
  t.same(select(['tag:we'], keys, tags).unmatched, [{ glob: 'tag:we', why: 'is the tag of no stack' }])
  t.match(select(['/aws'], keys).unmatched[0]?.why, /starts with '\/'/)
  const long = Array.from({ length: 2000 }, (_, i) => `${'a'.repeat(900)}${i}`)
  const globs = Array.from({ length: 100 }, (_, i) => `*${'a'.repeat(285)}${i}b`)
  const { unmatched } = select([...globs, ...long.slice(0, 2)], long)
  t.match(unmatched.at(-1), { glob: globs.at(-1), why: /too many for so many stacks/ }, 'in bounded time')
  const work = 2 * long.reduce((sum, key) => sum + key.length, 0)
  const most = Math.floor(100_000_000 / work)
  t.equal(select([`${'a'.repeat(most - 1)}*`], long).unmatched.length, 0)
  t.match(select([`${'a'.repeat(most)}*`], long).unmatched[0]?.why, /too many/, 'and one character more is too much')
})

t.test('the answer to keys that match no stack names them, and the existing stacks', async (t) => {
  const { unmatched } = select(['nope|`', '/x'], ['aws/app', 'aws/db'])
  const body = unmatchedComment('apply', unmatched, ['aws/db', 'aws/app'])
  t.match(body, 'nope&#124;&#96;')
  t.match(body, /`\/x`: .*starts with '\/'/)
  t.match(body, '- `aws/app`\n- `aws/db`')
  t.equal(told(body), '-')
  const many = Array.from({ length: 5000 }, (_, i) => `stack-${i}-${'x'.repeat(900)}`)
  t.ok(unmatchedComment('plan', select(many, ['a']).unmatched, many).length < 20_000)
})
