import t from 'tap'
import { cycles, importsOf } from '#test/architecture/import-cycles.ts'
import { files, product, type SourceFile, sourceFile } from '#test/helpers/source-files.ts'

/** Open to everything that is not pure. */
const open = [
  'src/errors.ts',
  'src/log.ts',
  'src/metrics.ts',
  'src/clock.ts',
  'src/portions.ts',
  'src/lines.ts',
  'src/ids.ts',
  'src/short-digest.ts',
  'src/node-version.mjs',
]

/** What http sees of the code host: verifying runners' tokens and webhooks' signatures, which fields of webhooks are read, signing people in and making apps. */
const auth = [
  'src/codehost/oidc.ts',
  'src/codehost/github/deliveries.ts',
  'src/codehost/github/signature.ts',
  'type src/codehost/sign-in.ts',
  'type src/codehost/manifest.ts',
]

/** What the service asks of a code host, what it hears from it, and how the code host refuses or asks it to wait. */
const port = [
  'src/codehost/port.ts',
  'src/codehost/fact.ts',
  'src/codehost/refusal.ts',
  'src/codehost/retry-after.ts',
  'src/codehost/sign-in.ts',
  'src/codehost/manifest.ts',
]

const ports = [...port, 'src/artifacts/port.ts']

/*
 * The allowed imports of each file or folder, besides itself and libraries. `type X` means types of X only. Longer prefixes
 * win; a file that no line covers is an error, which makes a new folder a decision.
 */
const table: Record<string, string[]> = {
  'src/domain/': [],
  'machines/': ['src/domain/'],
  'src/api/': ['src/domain/'],
  'src/jobs/': ['src/domain/'],
  'src/db/': [...open, 'src/jobs/', 'src/domain/', 'type machines/'],
  'src/runtime/': [...open, 'machines/', 'src/db/', 'src/jobs/', 'src/domain/'],
  'src/commands/': [...open, 'src/runtime/', 'src/db/', 'src/jobs/', 'src/domain/', ...ports],
  'src/codehost/': [...open, 'src/domain/'],
  'src/artifacts/': [...open, 'src/domain/'],
  'src/workers/': [...open, 'src/commands/', 'src/runtime/', 'src/db/', 'src/jobs/', 'src/domain/', ...ports],
  'src/http/': [...open, 'src/commands/', 'src/db/', 'src/api/', 'src/domain/', 'src/artifacts/port.ts', ...auth],
  'src/runner/': [...open, 'src/api/', 'src/domain/'],
  'src/emulator/': [...open],
  'src/dev/': ['src/', 'machines/', 'test/'],
  'ui/': ['type src/api/'],
  'src/cli/': [...open, 'src/db/', 'src/config.ts', 'src/environment.ts'],
  'src/main.ts': ['src/'],
  'src/service.ts': ['src/', 'machines/'],
  'src/stop-service.ts': open,
  'src/config.ts': ['src/environment.ts', 'src/domain/'],
  'src/environment.ts': ['src/domain/'],
  'src/errors.ts': [],
  'src/log.ts': [],
  'src/clock.ts': [],
  'src/portions.ts': [],
  'src/lines.ts': [],
  'src/ids.ts': [],
  'src/short-digest.ts': [],
  'src/node-version.mjs': [],
  'src/metrics.ts': [],
  'src/young-generation.ts': [],
}

const folderOf = (path: string): string | undefined =>
  Object.keys(table)
    .filter((folder) => path.startsWith(folder))
    .sort((a, b) => b.length - a.length)[0]

const isOurs = (path: string): boolean => /^(src|machines|ui|test|migrations)\//.test(path)

const mayImport = (folder: string, { to, typeOnly }: SourceFile['imports'][number]): boolean =>
  to.startsWith(folder) ||
  (table[folder] ?? []).some((allowed) =>
    allowed.startsWith('type ') ? typeOnly && to.startsWith(allowed.slice(5)) : to.startsWith(allowed),
  )

t.test('every import is in the import table', async (t) => {
  t.ok(product.length > 0 && product.some((file) => file.imports.length > 0), 'imports are found at all')
  const uncovered = product.filter((file) => folderOf(file.path) === undefined).map((file) => file.path)
  t.same(uncovered, [], 'every file is in a folder of the table')
  const wrong = product.flatMap((file) => {
    const folder = folderOf(file.path)
    const bad = folder === undefined ? [] : file.imports.filter((each) => isOurs(each.to) && !mayImport(folder, each))
    return bad.map((each) => `${file.path} imports ${each.typeOnly ? 'types of ' : ''}${each.to}`)
  })
  t.same(wrong, [])
})

/** All our files that are loaded with one. */
const loadedWith = (path: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(path)) return seen
  seen.add(path)
  const imports = files.find((file) => file.path === path)?.imports ?? []
  for (const { to, typeOnly } of imports) if (!typeOnly && isOurs(to)) loadedWith(to, seen)
  return seen
}

t.test('programs that are not tests load no tap: it would end them after half a minute', async (t) => {
  const benches = files.map(({ path }) => path).filter((path) => /^test\/bench\/[^/]+\.ts$/.test(path))
  t.ok(benches.length > 5)
  for (const program of ['test/fault/proof.ts', 'src/dev/demo.ts', ...benches]) {
    const loaded = loadedWith(program)
    const loading = files.filter(({ path }) => loaded.has(path))
    const bad = loading.filter(({ imports }) => imports.some(({ to, typeOnly }) => to === 'tap' && !typeOnly))
    t.same(
      bad.map(({ path }) => path),
      [],
      program,
    )
  }
})

t.test('the table says no', async (t) => {
  const cases = [
    // folder       imports                     types only   allowed
    ['src/domain/', 'src/errors.ts', false, false],
    ['src/domain/', 'src/domain/keys.ts', false, true],
    ['src/jobs/', 'src/db/queue/jobs.ts', true, false],
    ['src/db/', 'machines/run.ts', true, true],
    ['src/db/', 'machines/run.ts', false, false],
    ['src/commands/', 'src/codehost/port.ts', true, true],
    ['src/commands/', 'src/codehost/oidc.ts', true, false],
    ['src/runner/', 'src/db/machines/runs.ts', true, false],
  ] as const
  for (const [folder, to, typeOnly, allowed] of cases) {
    t.equal(mayImport(folder, { to, typeOnly }), allowed, `${folder} ${typeOnly ? 'types of ' : ''}${to}`)
  }
})

t.test('no imports go in a cycle, type imports counted', async (t) => {
  t.same(cycles(importsOf(files)), [])
})

t.test('a cycle would be found', async (t) => {
  t.same(cycles(importsOf([sourceFile('a', 'b'), sourceFile('b', 'c'), sourceFile('c', 'b', 'zod')])), ['b ↔ c'])
  t.same(cycles(importsOf([sourceFile('a', 'b', 'c'), sourceFile('b', 'c'), sourceFile('c')])), [])
  t.same(cycles(importsOf([sourceFile('a', 'a')])), ['a imports itself'])
})
