import t from 'tap'
import { type SourceFile, sourceFiles } from '#test/helpers/source-files.ts'

const files = sourceFiles(['src', 'machines', 'ui', 'test'])
const product = files.filter((file) => !file.path.startsWith('test/'))

/** Open to everything that is not pure. */
const open = ['src/errors.ts', 'src/log.ts', 'src/metrics.ts', 'src/clock.ts']

/** Who verifies runners' tokens and webhooks' signatures, how people sign in and apps are made: all that http sees of the code host. */
const auth = [
  'src/codehost/oidc.ts',
  'src/codehost/github/signature.ts',
  'type src/codehost/sign-in.ts',
  'type src/codehost/manifest.ts',
]

/** What the service asks of a code host, what it is told by it, and how it is told no, or to wait. */
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
 * Who may import whom, besides itself and libraries. `type X` means types of X only. Longer prefixes win; a file that no
 * line covers is an error, so that a new folder is a decision.
 */
const table: Record<string, string[]> = {
  'src/domain/': [],
  'machines/': ['src/domain/'],
  'src/api/': ['src/domain/'],
  'src/db/': [...open, 'src/domain/', 'type machines/'],
  'src/runtime/': [...open, 'machines/', 'src/db/', 'src/domain/'],
  'src/commands/': [...open, 'src/runtime/', 'src/db/', 'src/domain/', ...ports],
  'src/codehost/': [...open, 'src/domain/'],
  'src/artifacts/': [...open, 'src/domain/'],
  'src/workers/': [...open, 'src/commands/', 'src/runtime/', 'src/db/', 'src/domain/', ...ports],
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
  'src/metrics.ts': [],
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

/** All files of ours that are loaded with one. */
const loadedWith = (path: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(path)) return seen
  seen.add(path)
  const imports = files.find((file) => file.path === path)?.imports ?? []
  for (const { to, typeOnly } of imports) if (!typeOnly && isOurs(to)) loadedWith(to, seen)
  return seen
}

t.test('programs that are no tests load no tap: it would end them after half a minute', async (t) => {
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
    ['src/db/', 'machines/run.ts', true, true],
    ['src/db/', 'machines/run.ts', false, false],
    ['src/commands/', 'src/codehost/port.ts', true, true],
    ['src/commands/', 'src/codehost/oidc.ts', true, false],
    ['src/runner/', 'src/db/runs.ts', true, false],
  ] as const
  for (const [folder, to, typeOnly, allowed] of cases) {
    t.equal(mayImport(folder, { to, typeOnly }), allowed, `${folder} ${typeOnly ? 'types of ' : ''}${to}`)
  }
})

t.test('no imports go in a circle, type imports counted', async (t) => {
  t.same(cycles(files), [])
})

t.test('no file is over 300 lines', async (t) => {
  const long = files.filter(
    (file) => file.lines > 300 && !/^test\/fixtures\/|\.(golden|generated)\.ts$/.test(file.path),
  )
  const sizes = product.map((file) => file.lines).sort((a, b) => a - b)
  const at = (share: number) => sizes[Math.floor(sizes.length * share)]
  const same = t.same(
    long.map((file) => `${file.path}: ${file.lines}`),
    [],
  )
  if (!same) t.comment(`lines a file: median ${at(0.5)}, p90 ${at(0.9)}, longest ${sizes.at(-1)}`)
})

t.test('the environment is read in one place a program', async (t) => {
  const readers = product.filter((file) => /^[^*/]*\bprocess\.env\b/m.test(file.text)).map((file) => file.path)
  const allowed = /^src\/(main\.ts|config\.ts|dev\/|emulator\/|runner\/)/
  t.same(
    readers.filter((path) => !allowed.test(path)),
    [],
  )
  t.ok(readers.filter((path) => path.startsWith('src/runner/')).length <= 1, 'in one file of the client')
})

t.test('SQL is written in src/db only', async (t) => {
  const writes = (file: SourceFile) =>
    file.imports.some(({ to, typeOnly }) => to === 'slonik' || (to === 'pg' && !typeOnly)) ||
    /\bsql(\.\w+\([^`]*?\))?`/.test(file.text)
  const outside = product.filter((file) => !/^src\/(db|dev)\//.test(file.path) && writes(file)).map((file) => file.path)
  t.same(outside, [])
  const unsafe = product.filter((file) => /\bsql\.unsafe\b/.test(file.text)).map((file) => file.path)
  t.same(unsafe, [], 'and every row is checked by a schema')
})

/** Each set of files that can reach one another (Tarjan), spelled. */
function cycles(all: SourceFile[]): string[] {
  const byPath = new Map(all.map((file) => [file.path, file]))
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const found: string[] = []
  const visit = (path: string): number => {
    order.set(path, order.size)
    low.set(path, order.get(path)!)
    stack.push(path)
    for (const { to } of byPath.get(path)!.imports) {
      if (!byPath.has(to)) continue
      if (!order.has(to)) low.set(path, Math.min(low.get(path)!, visit(to)))
      else if (stack.includes(to)) low.set(path, Math.min(low.get(path)!, order.get(to)!))
      if (to === path) found.push(`${path} imports itself`)
    }
    if (low.get(path) === order.get(path)) {
      const members = stack.splice(stack.indexOf(path))
      if (members.length > 1) found.push(members.join(' ↔ '))
    }
    return low.get(path)!
  }
  for (const { path } of all) if (!order.has(path)) visit(path)
  return found
}

t.test('a circle would be found', async (t) => {
  const file = (path: string, ...to: string[]): SourceFile => ({
    path,
    text: '',
    lines: 0,
    imports: to.map((each) => ({ to: each, typeOnly: true })),
  })
  t.same(cycles([file('a', 'b'), file('b', 'c'), file('c', 'b', 'zod')]), ['b ↔ c'])
  t.same(cycles([file('a', 'b', 'c'), file('b', 'c'), file('c')]), [])
})
