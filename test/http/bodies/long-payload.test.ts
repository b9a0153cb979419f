import t from 'tap'
import { shortPayload } from '#http/bodies/long-payload.ts'
import { longestTurn } from '#test/helpers/longest-turn.ts'

const wanted = new Set(['action', 'repository', 'comment', 'more'])

const short = async (text: string): Promise<unknown> => {
  const found = await shortPayload(text, wanted)
  return found === undefined ? undefined : JSON.parse(found)
}

const cases: Readonly<Record<string, [given: string, kept: unknown]>> = {
  'fields that are read': ['{"action":"opened","sender":{"id":1},"more":[1,2]}', { action: 'opened', more: [1, 2] }],
  'spaces everywhere': [
    ' { "action" : "opened" , "repository" : { "id" : 7 } } ',
    { action: 'opened', repository: { id: 7 } },
  ],
  'names of fields inside others': ['{"a":{"action":1},"b":["action"],"c":"action"}', {}],
  'marks in texts': [
    '{"action":"a\\\\","comment":"}],\\":{[","more":"x"}',
    { action: 'a\\', comment: '}],":{[', more: 'x' },
  ],
  'a field twice': ['{"action":1,"action":{"b":[]}}', { action: { b: [] } }],
  'all that is not text': [
    '{"action":null,"more":-1.5e3,"comment":false}',
    { action: null, more: -1500, comment: false },
  ],
  'an empty object': ['{}', {}],
  'a list that ends nowhere': ['{"action":[1,2', undefined],
  'a text that ends nowhere': ['{"action":"}', undefined],
  'a field of lists in lists': [`{"action":1,"more":${'['.repeat(500)}${']'.repeat(500)}}`, { action: 1 }],
  'a field too long for anything': [`{"comment":"${'x'.repeat(1_100_000)}","action":1}`, { action: 1 }],
}

for (const [name, [given, kept]] of Object.entries(cases))
  t.test(`${name}: what is read is kept`, async (t) => t.same(await short(given), kept))

t.test('25 MB are looked through in portions', async (t) => {
  const contents = [
    `"${'\\n'.repeat(12_000_000)}"`,
    `[${'[],'.repeat(8_000_000)}0]`,
    `{${'"k":0,'.repeat(4_000_000)}"k":0}`,
  ]
  for (const content of contents) {
    // one text, as a body is, and not parts that are joined when they are first looked at
    const text = Buffer.from(`{"commits":${content},"action":"opened"}`).toString()
    const longest = longestTurn()
    t.same(await short(text), { action: 'opened' })
    const ms = longest()
    t.ok(ms < 60, `the longest turn is ${ms} ms`)
  }
})
