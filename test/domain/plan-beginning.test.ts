import t from 'tap'
import { planBeginning, wholeCharacters } from '#domain/plan-beginning.ts'

t.test('what a row keeps of a text, in at most so many bytes', async (t) => {
  const cases: [what: string, text: string, most: number, kept: string][] = [
    ['one that fits, whole', 'ab\ncd', 5, 'ab\ncd'],
    ['one without a line, behind a character', 'abcdef', 5, 'abcde'],
    ['of a long one whole lines', 'ab\ncd\nef', 7, 'ab\ncd\n'],
    ['more than half a line', 'a\nbcdefgh', 6, 'a\nbcde'],
    ['no half character', 'aé🚀', 6, 'aé'],
    ['nothing where nothing fits', '🚀', 3, ''],
    ['a mark at its start', '\ufeffabc', 5, '\ufeffab'],
  ]
  for (const [what, text, most, kept] of cases) t.equal(planBeginning(text, most), kept, what)
})

t.test('the beginning of a beginning, and of what was read with a character more, is the same', async (t) => {
  for (const line of ['x\n', 'größer 🚀\n', 'no line ', '🚀']) {
    const text = line.repeat(9_000)
    const kept = planBeginning(text)
    t.ok(Buffer.byteLength(kept) <= 8192 && Buffer.byteLength(kept) > 4096)
    t.equal(planBeginning(kept), kept)
    // as Postgres counts: characters, not halves of them
    t.equal(planBeginning([...text].slice(0, 8193).join('')), kept)
  }
})

t.test('bytes are counted as UTF-8, whatever the number of characters', async (t) => {
  t.equal(wholeCharacters('é'.repeat(10), 5), 'éé')
  t.equal(wholeCharacters('aaaaa', 5), 'aaaaa')
  t.equal(wholeCharacters('', 5), '')
})
