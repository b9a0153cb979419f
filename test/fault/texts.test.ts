import t from 'tap'
import { paceOfMachine } from '#test/helpers/pace.ts'
import { allReaders } from './texts/all-readers.ts'
import { slowReaders, toldSlow } from './texts/growth.ts'
import { fewForms } from './texts/hostile-texts.ts'
import { notTexts } from './texts/not-texts.ts'
import { takersOfText } from './texts/takers.ts'

/** Rooms whose functions read others' text. In other rooms of the client a string is mostly a path or a name of ours. */
const rooms = [
  'domain',
  'runner/hcl',
  'runner/mask',
  'runner/people',
  'runner/print',
  'runner/scan/edges',
  'runner/scan/facts',
]

t.test(
  'every function that takes a text is in the list of those that are timed, or of those that need not be',
  async (t) => {
    const timed = new Set(Object.keys(allReaders).map((name) => name.split(':')[0]))
    const takers = takersOfText(rooms)
    t.ok(takers.length > 60, `${takers.length} take a text`)
    t.same(
      takers.filter((name) => !timed.has(name) && !notTexts.has(name)),
      [],
      'list it in test/fault/texts',
    )
    t.same(
      [...notTexts.keys()].filter((name) => !takers.includes(name) || timed.has(name)),
      [],
      'and nothing else is',
    )
  },
)

t.test('the time of none grows faster than the text', async (t) => {
  // on a slow machine much takes 20 ms, and each was looked at for seconds
  const enough = 20 * paceOfMachine()
  const slow = slowReaders(allReaders, { chars: 16 * 1024, forms: fewForms, enough })
  t.same(slow.map(toldSlow), [])
})

const deep = (text: string): number => (text.startsWith('[') ? deep(text.slice(1)) + 1 : 0)

t.test('what is quadratic, or dies of depth, is found and named', async (t) => {
  const planted = {
    'line breaks': (text: string) => text.replace(/\n+$/, ''),
    // no copies: those of split and join took 100 s for 32 KB, and of 4 KB did not always show
    commas: (text: string) => {
      let rest = text
      while (rest.startsWith(',') && rest.lastIndexOf(';') === -1) rest = rest.slice(1)
    },
    depth: deep,
  }
  const slow = slowReaders(planted, { chars: 32 * 1024, forms: fewForms, enough: 20 })
  t.same(
    slow.map(({ reader }) => reader),
    ['line breaks', 'commas', 'depth'],
  )
  t.match(slow[0]?.text, '"\\n" × n + "x"')
})
