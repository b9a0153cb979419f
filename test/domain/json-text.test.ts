import t from 'tap'
import { isNestedDeeper, parseJsonText } from '#domain/json-text.ts'
import { longestTurn } from '#test/helpers/longest-turn.ts'

const cases: Readonly<Record<string, [text: string, value: unknown]>> = {
  'half of a pair is U+FFFD': ['"a\\ud800b"', 'a\ufffdb'],
  'the other half too': ['{"a":["\\udc00"]}', { a: ['\ufffd'] }],
  'a whole pair stays': ['["\\ud83d\\ude00","\\ud800"]', ['\u{1f600}', '\ufffd']],
  'an escaped backslash begins no escape': ['["\\\\ud800"]', ['\\ud800']],
  'in the name of a field': ['{"a\\ud800":{"\\udc00":1},"b":2}', { 'a\ufffd': { '\ufffd': 1 }, b: 2 }],
  'in all that is nested': ['{"a":{"b":[[{"c":"\\ud800"}]]},"d":1}', { a: { b: [[{ c: '\ufffd' }]] }, d: 1 }],
}

for (const [name, [text, value]] of Object.entries(cases))
  t.test(name, async (t) => t.same(parseJsonText(text), { ok: true, value }))

t.test('half of a pair beside 1 MB of numbers, or within lists in lists, is found at once', async (t) => {
  const numbers = `["\\ud800",${'0,'.repeat(500_000)}0]`
  const lists = `${'['.repeat(200_000)}"\\ud800"${']'.repeat(200_000)}`
  for (const text of [numbers, lists]) {
    const longest = longestTurn()
    t.equal(parseJsonText(text).ok, true)
    const ms = longest()
    t.ok(ms < 150, `it takes ${ms} ms`)
  }
})

const nested: [text: string, levels: number][] = [
  ['1', 0],
  ['"[[["', 0],
  ['"\\"[[["', 0],
  ['[]', 1],
  ['[{},[],{"a":[]}]', 3],
  ['{"[":{"a":"}"}}', 2],
]

t.test('lists and objects in each other are counted, and not what texts hold', async (t) => {
  for (const [text, levels] of nested) {
    t.notOk(isNestedDeeper(text, levels), text)
    if (levels > 0) t.ok(isNestedDeeper(text, levels - 1), text)
  }
})
