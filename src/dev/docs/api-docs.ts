import { writeFile } from 'node:fs/promises'
import type { Test } from 'tap'
import type { ApiDocument, Content, Operation } from './api-document.ts'
import { type Example, exampleLines } from './api-example.ts'
import { errorDocs } from './error-docs.ts'
import { fieldRows, type Schema, schemaText, table } from './schema-text.ts'

const callers: Record<string, string> = {
  runner: 'CI job',
  session: 'person',
  apiKey: 'API key',
  metricsToken: 'scraper',
  signature: 'code host',
}

const callersOf = ({ security = [] }: Operation): string =>
  security
    .flatMap((one) => Object.keys(one))
    .map((name) => callers[name] ?? name)
    .join(', ') || 'anyone'

type Named = { name: string; operation: Operation }

const operationsOf = ({ paths }: ApiDocument): Named[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  )

/** The id that Markdown gives a heading. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-')

const bodyOf = (content: Content | undefined): string => {
  const [type, body] = Object.entries(content ?? {})[0] ?? []
  if (!type || !body) return ''
  return type === 'application/json' ? schemaText(body.schema) : type
}

const answerRows = ({ responses = {} }: Operation): string[][] =>
  Object.entries(responses).map(([status, { description = '', content }]) => [status, bodyOf(content), description])

const operationLines = ({ name, operation }: Named, examples: readonly Example[]): string[] => [
  `### ${name}`,
  '',
  `${operation.summary ?? ''}. Callers: ${callersOf(operation)}.`,
  '',
  ...table(
    ['parameter', 'in', 'type', 'meaning'],
    (operation.parameters ?? []).map((one) => [
      `\`${one.name}\`${one.required ? '' : ' (optional)'}`,
      one.in,
      schemaText(one.schema),
      one.description ?? one.schema.description ?? '',
    ]),
  ),
  ...(operation.requestBody ? [`Body: ${bodyOf(operation.requestBody.content)}`, ''] : []),
  ...table(['status', 'body', 'meaning'], answerRows(operation)),
  ...examples.filter((one) => one.operation === name).flatMap(exampleLines),
]

const schemaLines = ([name, schema]: [string, Schema]): string[] => [
  `### ${name}`,
  '',
  ...(schema.description ? [`${schema.description}.`, ''] : []),
  ...(schema.properties
    ? table(['field', 'type', 'meaning'], fieldRows(schema))
    : [`${schemaText({ ...schema, description: '' })}.`, '']),
]

const heading = `# The API

Made from the schemas that check every request, with the answers of a real service, by \`node src/dev/docs/api-docs.ts\`; not to be
edited by hand. The same as data: \`GET /v1/openapi.json\`.

- Bodies are JSON, with \`Content-Type: application/json\`. Unknown fields are ignored, in answers too: ignore those you do not
  know. Fields that are empty are left out. Times are RFC 3339 in UTC.
- A CI job sends its own OIDC token, a new one with every request; automation an API key
  (\`svc-server api-key create --name NAME\`): both as \`Authorization: Bearer …\`. A person has the cookie of their session.
- Keys of stacks in paths are percent-encoded: \`apps%2Fweb\`.
- A list answers \`items\`, and \`next_cursor\` where there is more: send it back as \`cursor\`, as it is. \`limit\` is 50 unless given
  and 500 at most.
- What a caller may not see is not there for them: 404. Errors have one shape: see [errors.md](errors.md).
`

/** docs/api.md, made from the API document and a real service's answers: a test compares the committed file with this text. */
export const apiDocs = (document: ApiDocument, examples: readonly Example[]): string => {
  const operations = operationsOf(document)
  const tags = [...new Set(operations.map(({ operation }) => operation.tags?.[0] ?? 'other'))].sort()
  const of = (tag: string) => operations.filter(({ operation }) => (operation.tags?.[0] ?? 'other') === tag)
  const contents = tags.flatMap((tag) =>
    of(tag).map(({ name, operation }) => [
      `[${name}](#${anchor(name)})`,
      callersOf(operation),
      operation.summary ?? '',
    ]),
  )
  const schemas = Object.entries(document.components.schemas).sort(([a], [b]) => (a < b ? -1 : 1))
  return [
    heading,
    '## Endpoints',
    '',
    ...table(['endpoint', 'callers', ''], contents),
    ...tags.flatMap((tag) => [`## About ${tag}`, '', ...of(tag).flatMap((one) => operationLines(one, examples))]),
    '## Schemas',
    '',
    ...schemas.flatMap(schemaLines),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n')
}

/** Plays the story against a service started for it, in a test that takes everything down again. */
const write = async (t: Test): Promise<void> => {
  const { tellApiStory } = await import('#test/documents/api-story.ts')
  const { document, examples } = await tellApiStory(t)
  await writeFile(new URL('../../../docs/api.md', import.meta.url), apiDocs(document, examples))
  await writeFile(new URL('../../../docs/errors.md', import.meta.url), errorDocs(document, examples))
}

if (import.meta.main) {
  const { default: tap } = await import('tap')
  await tap.test('docs/api.md and docs/errors.md are written', write)
}
