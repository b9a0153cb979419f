import t from 'tap'
import { configJsonSchema } from '#domain/config/config-json-schema.ts'
import { serve } from '#test/scenes/served.ts'

const { send } = await serve(t)

t.test(
  'the JSON Schema of svc.yml is open to anyone, names its own address and is kept by nobody, like all JSON',
  async (t) => {
    const { status, headers, text } = await send('/svc.schema.json')
    t.equal(status, 200)
    t.same(JSON.parse(text), configJsonSchema('https://svc.example.com/svc.schema.json'))
    t.match(JSON.parse(text), { $id: 'https://svc.example.com/svc.schema.json', title: 'svc.yml' })
    t.equal(headers.get('content-type'), 'application/schema+json; charset=utf-8')
    t.equal(headers.get('cache-control'), 'no-store')
  },
)
