import t from 'tap'
import { stackCheckRun } from '#domain/checks/stack-check-runs.ts'
import { planBeginning, wholeCharacters } from '#domain/texts/plan-beginning.ts'
import { planSections } from '#domain/texts/plan-sections.ts'
import { run, stack } from '#test/domain/comments/sample-reports.ts'

t.test('a row keeps so many bytes of a text at most', async (t) => {
  const cases: [what: string, text: string, most: number, kept: string][] = [
    ['a text that fits, whole', 'ab\ncd', 5, 'ab\ncd'],
    ['one without line ends, cut after a character', 'abcdef', 5, 'abcde'],
    ['whole lines of a long one', 'ab\ncd\nef', 7, 'ab\ncd\n'],
    ['more than half a line', 'a\nbcdefgh', 6, 'a\nbcde'],
    ['no half character', 'aé🚀', 6, 'aé'],
    ['nothing if nothing fits', '🚀', 3, ''],
    ['a mark at its start', '\ufeffabc', 5, '\ufeffab'],
  ]
  for (const [what, text, most, kept] of cases) t.equal(planBeginning(text, most), kept, what)
})

t.test('the beginning of a beginning is the same, and so is that of a text read with one character more', async (t) => {
  for (const line of ['x\n', 'größer 🚀\n', 'no line ', '🚀']) {
    const text = line.repeat(9_000)
    const kept = planBeginning(text)
    t.ok(Buffer.byteLength(kept) <= 8192 && Buffer.byteLength(kept) > 4096)
    t.equal(planBeginning(kept), kept)
    // as Postgres counts: whole characters, not halves
    t.equal(planBeginning([...text].slice(0, 8193).join('')), kept)
  }
})

t.test('bytes are counted as UTF-8, whatever the number of characters', async (t) => {
  t.equal(wholeCharacters('é'.repeat(10), 5), 'éé')
  t.equal(wholeCharacters('aaaaa', 5), 'aaaaa')
  t.equal(wholeCharacters('', 5), '')
})

const beginning = { plan_text: 'the beginning\n', plan_more: { run_id: '1', bytes: 200_000, hash: 'h' } }
const shown = run()

t.test('if only the beginning of a plan is available, it is followed by where the rest is', async (t) => {
  const { text } = stackCheckRun(shown, stack('a', beginning))
  t.equal(text, `\`\`\`diff\nthe beginning\n… cut here. The whole text: ${shown.html_url}?stack=a\n\`\`\``)
  const sections = planSections({ run: shown, stacks: [stack('a', beginning)] }).within(10_000)
  t.ok(
    sections.includes(`\nthe beginning\n\`\`\`\n\n… cut here: [the whole text](${shown.html_url}?stack=a).\n`),
    sections,
  )
})

t.test('beginnings do not take the room of whole plans in a comment', async (t) => {
  const stacks = [stack('cut', beginning), stack('whole', { plan_text: 'x'.repeat(700) })]
  const planned = planSections({ run: shown, stacks })
  const both = planned.within(planned.length)
  t.match(both, /the beginning/)
  const sections = planned.within(both.length - 1)
  t.match(sections, /x{700}/)
  t.match(sections, /1 more plan in/)
  t.notMatch(sections, /the beginning/)
})

t.test('a plan of which nothing was read is a link', async (t) => {
  const unread = stack('a', { ...beginning, plan_text: '' })
  const sections = planSections({ run: shown, stacks: [unread] }).within(10_000)
  t.ok(sections.includes(`[Its plan](${shown.html_url}?stack=a) has no room here.`), sections)
  t.notMatch(sections, /cut here/)
})
