import { basename, dirname } from 'node:path'
import t from 'tap'
import { roomCycles } from '#test/helpers/import-cycles.ts'
import { files, product, sourceFile } from '#test/helpers/source-files.ts'

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

t.test('no folder holds over 24 files', async (t) => {
  const sizes = Map.groupBy(files, ({ path }) => dirname(path))
  const full = [...sizes].filter(([folder, { length }]) => length > 24 && !folder.startsWith('test/fixtures'))
  t.same(
    full.map(([folder, { length }]) => `${folder}: ${length}`),
    [],
  )
})

/** Files at the root of a folder that has rooms: all its rooms use them. Any other file belongs to a room. */
const atTheRoot: Record<string, string[]> = {
  'src/commands': ['deps'],
  'src/domain': [
    'content-budget',
    'duration',
    'edit-distance',
    'json-text',
    'keys',
    'limits',
    'list',
    'lock-state',
    'lost-reason',
    'module-version',
    'plan-summary',
    'result',
    'retry',
    'run-name',
    'run-report',
    'run-status',
    'runner-claims',
  ],
  'src/db': [
    'batch',
    'database-clock',
    'database-trouble',
    'expired-rows',
    'migrate',
    'moment',
    'pool-driver',
    'pool',
    'readiness',
    'row-types',
    'session-settings',
    'sql',
    'statement-names',
    'transact',
    'visibility',
  ],
  'src/workers': ['handler', 'loop', 'workers'],
  'src/api': [
    'attention',
    'audit',
    'cut',
    'error-body',
    'health',
    'lock-summary',
    'machine',
    'optional',
    'overview',
    'page',
    'queue',
    'scalars',
    'summary',
    'whoami',
  ],
}

t.test('every file of a folder with rooms is in one of them, or is listed here', async (t) => {
  for (const [folder, names] of Object.entries(atTheRoot)) {
    const own = files.filter(({ path }) => dirname(path) === folder).map(({ path }) => basename(path, '.ts'))
    t.same(own, names, folder)
  }
})

t.test('no imports go in a cycle between rooms, type imports counted', async (t) => {
  t.same(roomCycles(product), [])
})

t.test('a cycle between rooms would be found, at any depth', async (t) => {
  const there = sourceFile('src/x/a/one.ts', 'src/x/b/two.ts')
  const back = sourceFile('src/x/b/other.ts', 'src/x/a/deeper/three.ts')
  const ends = [
    sourceFile('src/x/b/two.ts', 'src/x/shared.ts'),
    sourceFile('src/x/a/deeper/three.ts'),
    sourceFile('src/x/shared.ts'),
  ]
  t.same(roomCycles([there, ...ends]), [])
  t.same(roomCycles([there, back, ...ends]), ['src/x: a ↔ b'])
})
