import t from 'tap'
import { lines, table } from './told-command.ts'

t.test('hidden text is not a command', async (t) => {
  table(t, [
    ['<!-- svc apply -->', '-'],
    [lines('<!--', 'svc apply', '-->'), '-'],
    [lines('<!--', '', 'svc apply', '', '-->', 'svc plan'), 'plan'],
    [lines('<!--', '```', '-->', 'svc apply'), 'apply'],
    [lines('```', '<!--', '```', 'svc apply'), 'apply'],
    [lines('text <!-- a', 'svc apply', '-->'), '-'],
    [lines('text `<!--`', 'svc apply'), 'apply'],
    [lines('<!-- not closed', '', 'svc apply'), '-'],
    ['<!-- a --> svc apply', '-'],
    [lines('<?', 'svc apply', '?>', 'svc plan'), 'plan'],
    [lines('<?', '', 'svc apply', '', '?>', 'svc plan'), 'plan'],
    [lines('text <?', 'svc apply', '?>', 'svc plan'), 'plan'],
    [lines('<![CDATA[', '', 'svc apply', ']]>', 'svc plan'), 'plan'],
    [lines('text <![CDATA[', 'svc apply', ']]>'), '-'],
    [lines('<!X', '', 'svc apply', '>', 'svc plan'), 'plan'],
    [lines('text <!X', 'svc apply', '>'), '-'],
    [lines('<details><summary>x</summary>', '', 'svc apply', '', '</details>', '', 'svc plan'), 'plan'],
    [lines('text <details>', 'svc apply', '</details>'), '-'],
    [lines('text <script>', 'svc apply', '</script>'), '-'],
    [lines('<div>', '\u00a0', 'svc apply', '', 'svc plan'), 'plan'],
    [lines('<div', 'title="', 'svc apply', '">', '', 'svc plan'), 'plan'],
    [lines('<img alt="x">', 'svc apply', '', 'svc plan'), 'plan'],
    [lines('<x-y>', 'svc apply', '', 'svc plan'), 'plan'],
    [lines('<img alt="', 'svc apply', '">'), '-'],
    [lines("text <a title='", 'svc apply', "'>x</a>"), '-'],
    [lines('text <a', 'svc apply', 'x>y</a>'), '-'],
    [lines('text <b>bold</b>', 'svc apply'), 'apply'],
    [lines('a <b', 'svc apply'), 'apply'],
    [lines('see <https://example.com>', 'svc apply'), 'apply'],
  ])
})

t.test('what is in an element that is open since an earlier block is not a command', async (t) => {
  const after = ['', 'svc plan']
  for (const before of [
    ['x <details>'],
    ['- x <details>'],
    ['# x <details>'],
    ['<div><details>x'],
    ['<div><details>', '</div>'],
    ['<b><blockquote>x'],
    ['<div><pre>x'],
    ['x <code>'],
    ['x <samp>y</samp><s>z'],
    ['<details><details>', '', '</details>'],
    ['x <details>y <details>z</details>'],
    ['<details>', '', '`</details>`'],
    ['<details>', '', '[x](</details>)'],
    ['<details>', '', '[x](y "</details>")'],
    ['<details>', '', '![</details>](y)'],
    ['<details>', '', '```', '</details>', '```'],
    ['<details>', '', '> </details>'],
    ['<details>', '', '| a |', '| - |', '| </details> |'],
    ['<details>', '', '<table>', '<tr><td></details>', '</table>'],
    ['<details>', '', 'x <img alt="</details>">'],
    ['- x', '', '    <!-- y'],
    ['1. x', '2. y', '', '    z <code>'],
    ['<details>', '', '<!-- </details> -->'],
    ['<details>', '', 'x <!-- </details> -->'],
    ['<details>', '', '</details<x>'],
    ['<pre>', '</script>'],
    ['x <!-- y <details>'],
    ['x <? > <details> ?>'],
    ['<https://a`b> <details> `'],
    ['<a`b@c.d> <details> `'],
    ['# `a', 'x <details> `'],
    ['<div><img alt="'],
    ['<div><!-- x'],
    ['> <!-- x'],
    ['> x <code>'],
    ['<DETAILS >', '</div>'],
  ])
    table(t, [[lines(...before, '', 'svc apply', ...after), '-']])
  for (const before of [
    ['x <details>y</details>'],
    ['<div><details>', '', 'x', '', '</details></div>'],
    ['<details><details>', '', '</details></details>'],
    ['<table><tr><td><details>', '', 'x', '', '</details></td></tr></table>'],
    ['| a |', '| - |', '| <details>x</details> |'],
    ['x `<details>`'],
    ['x \\<details>'],
    ['```', '<details>', '```'],
    ['    <details>'],
    ['<!-- <details> -->'],
    ['x <!-- <details> -->'],
    ['<pre>', '<code>', 'x', '</code></pre>'],
    ['> <details>'],
    ['> x <y'],
    ['<detailsx>y'],
    ['a < b > c <br>'],
  ])
    table(t, [[lines(...before, ...after), 'plan']])
})

t.test('footnotes are not a command', async (t) => {
  table(t, [
    [lines('[^1]: x', 'svc apply', '', 'svc plan'), 'plan'],
    ['[^1]: svc apply', '-'],
    [lines('- [^a b]: x', 'svc apply'), 'apply'],
    [lines('- [^1]: x', 'svc apply'), '-'],
    [lines('text', '[^1]: x', 'svc apply'), '-'],
    [lines('[^1]: x', '', '    y', 'svc apply', '', 'svc plan'), 'plan'],
    [lines('[^1]: x', '', 'svc apply'), 'apply'],
    [lines('x[^1]', 'svc apply', '', '[^1]: y'), 'apply'],
  ])
})

t.test('titles of links and texts of images are not a command', async (t) => {
  table(t, [
    [lines('[x](http://y "', 'svc apply', '")', 'svc plan'), 'plan'],
    [lines("[x](http://y '", 'svc apply', "')"), '-'],
    [lines('[x](http://y (', 'svc apply', '))'), '-'],
    [lines('[x](<y z> "', 'svc apply', '")', 'svc plan'), 'plan'],
    [lines('[x]: <y z> "', 'svc apply', '"', 'svc plan'), 'plan'],
    [lines('[x](<http://y>', '"a \\" b', 'svc apply', '")'), '-'],
    [lines('[![x](y)](z "', 'svc apply', '")'), '-'],
    [lines('![a', 'svc apply', '](x)', 'svc plan'), 'plan'],
    [lines('![a', 'svc apply', '][x]'), '-'],
    [lines('[x]: http://y "', 'svc apply', '"', 'svc plan'), 'plan'],
    [lines('[x', 'svc apply', ']: http://y', 'svc plan'), 'plan'],
    [lines('- [x]: http://y "', '  svc apply', '  "', '', 'svc plan'), 'plan'],
    [lines('[x]: http://y', 'svc apply'), 'apply'],
    [lines('[x](http://y)', 'svc apply'), 'apply'],
    [lines('[x](http://y "z")', 'svc apply'), 'apply'],
    [lines('[x](http://y "not closed', 'svc apply'), 'apply'],
    [lines('- [ ] todo', '', 'svc apply'), 'apply'],
    [lines('see [1]', 'svc apply'), 'apply'],
    [lines('\\![a', 'svc apply', '](x)'), 'apply'],
    [lines('`![a`', 'svc apply', '](x)'), 'apply'],
  ])
})
