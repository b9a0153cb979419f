import { readFile } from 'node:fs/promises'
import { Ajv } from 'ajv'
import t from 'tap'
import { apiDocs } from '#dev/docs/api-docs.ts'
import { errorDocs } from '#dev/docs/error-docs.ts'
import { statusOf } from '#errors.ts'
import { tellApiStory } from './api-story.ts'

/*
 * The examples of docs/api.md and docs/errors.md run against a real service, and the pages are made of its answers: the
 * committed pages must equal them, to the letter.
 */

const { document, examples } = await tellApiStory(t)
const read = (name: string) => readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8')
const again = 'run `node src/dev/docs/api-docs.ts` and commit the files'

t.test('docs/api.md is what the schemas and a real service say', async (t) => {
  t.equal(await read('api.md'), apiDocs(document, examples), again)
})

t.test('docs/errors.md is what the table of codes and a real service say', async (t) => {
  const text = await read('errors.md')
  t.equal(text, errorDocs(document, examples), again)
  for (const code of Object.keys(statusOf)) {
    t.match(text, `\n## ${code}\n`, code)
    t.ok(
      examples.some(({ answer }) => (answer as { code?: string }).code === code),
      `${code} has an example`,
    )
  }
})

t.test('every operation of the API under /v1 has an example, but for the document itself', async (t) => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const shown = new Set(examples.map(({ operation }) => operation))
  const without = operations.filter((name) => name.includes(' /v1/') && !shown.has(name))
  t.same(without, ['GET /v1/openapi.json'])
  t.same(
    [...shown].filter((name) => !operations.includes(name)),
    [],
    'and no example belongs to another operation',
  )
})

t.test('every answer that is shown whole fits the schema that the document gives it', async (t) => {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema({ $id: 'api', components: document.components })
  for (const { operation, status, answer, shown } of examples) {
    const [method = '', path = ''] = operation.split(' ')
    const schema = document.paths[path][method.toLowerCase()].responses[status]?.content?.['application/json']?.schema
    if (shown !== undefined) continue
    t.ok(schema, `${operation} ${status} is in the document`)
    const check = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')))
    t.ok(check(answer), `${operation} ${status}: ${ajv.errorsText(check.errors)}`)
  }
})
