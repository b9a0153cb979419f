import t from 'tap'
import { cutBeginning, cutEnd, printable } from '#runner/mask/sendable-text.ts'

t.test('sent text has whole lines and nothing that a terminal obeys', (t) => {
  t.equal(printable('a\u001b[31mb\u001b[0m\r\nc\u0000\td\ud800'), 'ab\nc\td\ufffd')
  t.same(cutEnd('aaa\nbbb\nccc', 100), { text: 'aaa\nbbb\nccc', isCut: false })
  t.same(cutEnd('aaa\nbbb\nccc', 9), { text: 'aaa\nbbb\n', isCut: true })
  t.same(cutEnd('ääää', 5), { text: 'ää', isCut: true }, 'a line that is too long is cut between characters')
  t.same(
    cutEnd(`a\n${'b'.repeat(20)}`, 12),
    { text: `a\n${'b'.repeat(10)}`, isCut: true },
    'and so is one after a short one',
  )
  t.equal(cutBeginning('aaa\nbbb\nccc', 9), 'bbb\nccc')
  t.equal(cutBeginning('ääää', 5), 'ää')
  t.equal(cutBeginning('short', 5), 'short')
  t.end()
})
