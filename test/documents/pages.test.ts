import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { parseRepoConfig } from '#domain/config/config-file.ts'
import { blocksOf, missingIn, missingInShell } from './named-in.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/**
 * How each page of docs/ is kept true. `made`: a script makes it, and the test named compares it. `run`: the test named
 * compares what the page says with what the code says. `prose`: the names on it are looked up here, as on every page. A new
 * page needs its line.
 */
const pages: Record<string, ['made' | 'run', string] | ['prose']> = {
  'alerts.yml': ['run', 'test/documents/monitoring.test.ts'],
  'api.md': ['made', 'test/documents/api.test.ts'],
  'architecture.md': ['prose'],
  'artifacts.md': ['prose'],
  'checks.md': ['run', 'test/runner/job/policy.test.ts'],
  'client.md': ['made', 'test/documents.test.ts'],
  'commands.md': ['run', 'test/documents/commands.test.ts'],
  'configuration.md': ['made', 'test/documents.test.ts'],
  'cross-repository.md': ['prose'],
  'dashboard.json': ['made', 'test/documents/monitoring.test.ts'],
  'decisions.md': ['prose'],
  'discover.md': ['run', 'test/runner/scan/listing.test.ts'],
  'discover.schema.json': ['made', 'test/documents.test.ts'],
  'drift-issues.md': ['prose'],
  'drift.md': ['prose'],
  'errors.md': ['made', 'test/documents/api.test.ts'],
  'gate.md': ['run', 'test/documents/gate.test.ts'],
  'glossary.md': ['prose'],
  'interface.md': ['run', 'test/documents/interface.test.ts'],
  'machines.md': ['made', 'test/machines/describe.test.ts'],
  'measurements.md': ['prose'],
  'operations.md': ['prose'],
  'performance.md': ['made', 'test/bench/harness/harness.test.ts'],
  'policies.md': ['run', 'test/commands/apply/policies.test.ts'],
  'proofs.md': ['prose'],
  'queue.md': ['prose'],
  'scale.md': ['prose'],
  'setup.md': ['prose'],
  'svc-yml.md': ['made', 'test/documents.test.ts'],
  'svc.schema.json': ['made', 'test/documents.test.ts'],
  'terragrunt.md': ['prose'],
  'ui.md': ['run', 'test/documents/questions.test.ts'],
}

t.test('every page is made, run or prose, and its test names it', async (t) => {
  const files = readdirSync(join(root, 'docs'), { withFileTypes: true }).filter((entry) => entry.isFile())
  t.same(Object.keys(pages), files.map(({ name }) => name).sort())
  for (const [page, [kind, by]] of Object.entries(pages)) {
    if (kind === 'prose') continue
    t.ok(existsSync(join(root, by)) && read(by).includes(page), `${page}: ${by}`)
    if (kind === 'made' && page.endsWith('.md')) t.match(read(`docs/${page}`), /not to be\s+edited by hand/, page)
  }
})

const texts = [
  ...Object.keys(pages)
    .filter((page) => page.endsWith('.md'))
    .map((page) => `docs/${page}`),
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
]

t.test('the README leads to every page', async (t) => {
  for (const page of Object.keys(pages)) {
    // a schema is linked where its file is explained
    const explained = { 'svc.schema.json': 'docs/svc-yml.md', 'discover.schema.json': 'docs/discover.md' }[page]
    t.match(read(explained ?? 'README.md'), explained === undefined ? `(docs/${page})` : `(${page})`, page)
  }
})

t.test('every picture of a page is there, in both colours', async (t) => {
  const shown = texts.flatMap((page) =>
    [...read(page).matchAll(/(?:src|srcset)="((?:docs\/)?pictures\/[^"]+)"/g)].map(([, path = '']) =>
      path.replace(/^(docs\/)?/, 'docs/'),
    ),
  )
  const there = readdirSync(join(root, 'docs/pictures')).map((name) => `docs/pictures/${name}`)
  t.same([...new Set(shown)].sort(), there.sort())
})

t.test('every name that a page has in code exists', async (t) => {
  for (const page of texts) t.same(missingIn(read(page)), [], page)
})

t.test('the examples of the pages hold', async (t) => {
  for (const page of texts) {
    for (const { language, text } of blocksOf(read(page))) {
      if (language === 'sh') t.same(missingInShell(text), [], `${page}: ${text}`)
      if (language === 'json') t.doesNotThrow(() => JSON.parse(text), page)
      if (language !== 'yaml') continue
      if (/^version: 1$/m.test(text)) t.match(parseRepoConfig(text), { ok: true }, `${page}: ${text}`)
      else t.doesNotThrow(() => parse(text), page)
    }
  }
})

t.test('a name that does not exist is found', async (t) => {
  const page = [
    '`src/runtime/nowhere.ts` `npm run nothing` `GET /v1/nothing` `SVC_NO_SUCH_THING` `svc_nothing_total` `no_such_word`',
    '`noSuchWord` `svc frobnicate` `svc plan --frobnicate` `svc-server frobnicate` `nowhere.ts` `bench -- nothing` `apply.frobnicate`',
  ].join('\n')
  t.equal(missingIn(page).length, 13)
  const fine = [
    '`src/runtime/runtime.ts` `npm run demo` `GET /v1/runs/{id}?x=1` `SVC_BASE_URL` `svc_locks_held` `result.reported`',
    '`svc plan --hold` `svc-server api-key create --name ci` `runtime.ts` `bench -- queue` `aws/network` `CODEHOST_`',
  ].join('\n')
  t.same(missingIn(fine), [])
  t.same(missingInShell('npm run nothing && npm run demo\nls'), ['npm run nothing'])
})
