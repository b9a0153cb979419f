import t from 'tap'
import { cutAtLine, fenced } from '#domain/texts/markdown.ts'
import { trimEndOf, trimOf } from '#domain/texts/trim.ts'
import { measured } from '#test/helpers/pace.ts'

t.test('text is trimmed of the characters that are named, and of no others', async (t) => {
  const cases: [text: string, chars: string, end: string, both: string][] = [
    ['a\n\n', '\n', 'a', 'a'],
    ['\n a\n', '\n', '\n a', ' a'],
    ['--a-.b.-', '-.', '--a-.b', 'a-.b'],
    ['///', '/', '', ''],
    ['', '/', '', ''],
  ]
  for (const [text, chars, end, both] of cases) {
    t.equal(trimEndOf(text, chars), end, JSON.stringify(text))
    t.equal(trimOf(text, chars), both, JSON.stringify(text))
  }
})

t.test('a code block that is cut says so, wherever it was cut', async (t) => {
  const cases: [what: string, text: string, shown: string][] = [
    ['fits', 'one\ntwo\n\n', '```\none\ntwo\n```'],
    ['too long', 'one\n'.repeat(30), '```\none\none\none\none\none\none\none\ncut\n```'],
    ['so long that its end is not looked at', `${'\u001b[0m'.repeat(40)}one\n`, '```\n\ncut\n```'],
  ]
  for (const [what, text, shown] of cases) t.equal(fenced(text, 40, 'cut'), shown, what)
  t.equal(cutAtLine('one\ntwo', 20, 'cut'), 'one\ntwo')
  t.equal(cutAtLine('one\ntwo', 20, 'cut', false), 'one\ncut', 'the last line may be half of one')
})

t.test('100 KB of line breaks before a letter are a code block within a moment', async (t) => {
  const text = `${'\n'.repeat(100 * 1024)}x`
  for (const limit of [3000, Number.POSITIVE_INFINITY]) {
    const { ms } = measured(() => fenced(text, limit, 'cut'))
    t.ok(ms < 500, `limit ${limit}: ${Math.round(ms)} ms`)
  }
})
