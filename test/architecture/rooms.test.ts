import { basename, dirname } from 'node:path'
import t from 'tap'
import { roomCycles } from '#test/architecture/import-cycles.ts'
import { files, product, type SourceFile, sourceFile, styles } from '#test/helpers/source-files.ts'

const written = [...files, ...styles]

/** The web interface keeps its components short; a style sheet is a list. */
const mostLines = (path: string): number => (/^ui\/.*\.tsx?$/.test(path) ? 150 : 300)
const isExempt = (path: string): boolean => /^test\/fixtures\/|\.(golden|generated)\.ts$/.test(path)

const tooLong = (all: readonly SourceFile[]): string[] =>
  all
    .filter(({ path, lines }) => lines > mostLines(path) && !isExempt(path))
    .map(({ path, lines }) => `${path}: ${lines}`)

t.test('no file is over 300 lines, and no code of the web interface over 150', async (t) => {
  const sizes = product.map((file) => file.lines).sort((a, b) => a - b)
  const at = (share: number) => sizes[Math.floor(sizes.length * share)]
  const same = t.same(tooLong(written), [])
  if (!same) t.comment(`lines a file: median ${at(0.5)}, p90 ${at(0.9)}, longest ${sizes.at(-1)}`)
})

t.test('a file that is too long would be found', async (t) => {
  const found = (path: string, lines: number) => tooLong([{ ...sourceFile(path), lines }]).length === 1
  for (const [path, most] of [
    ['src/x/one.ts', 300],
    ['test/x/one.test.ts', 300],
    ['ui/x/One.tsx', 150],
    ['ui/x/one.ts', 150],
    ['ui/x/one.css', 300],
  ] as const) {
    t.same([found(path, most), found(path, most + 1)], [false, true], path)
  }
  t.ok(styles.length > 20 && styles.every(({ lines }) => lines > 0), 'style sheets are found at all')
})

const overfull = (all: readonly SourceFile[]): string[] =>
  [...Map.groupBy(all, ({ path }) => dirname(path))]
    .filter(([folder, { length }]) => length > 24 && !folder.startsWith('test/fixtures'))
    .map(([folder, { length }]) => `${folder}: ${length}`)

t.test('no folder holds over 24 files, style sheets counted', async (t) => {
  t.same(overfull(written), [])
})

t.test('a folder that holds too many would be found', async (t) => {
  const several = (count: number, ending: string) =>
    Array.from({ length: count }, (_, i) => sourceFile(`ui/x/${i}.${ending}`))
  t.same(overfull([...several(12, 'tsx'), ...several(12, 'css'), sourceFile('ui/x/y/one.ts')]), [])
  t.same(overfull([...several(12, 'tsx'), ...several(13, 'css')]), ['ui/x: 25'])
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
    'merge-group',
    'module-version',
    'month',
    'patrol-turn',
    'plan-output',
    'plan-summary',
    'result',
    'retry',
    'run-name',
    'run-report',
    'run-status',
    'runner-claims',
    'steps',
    'workflow-ref-glob',
  ],
  'src/db': [
    'advisory-locks',
    'batch',
    'database-clock',
    'database-trouble',
    'expired-rows',
    'in-time',
    'migrate',
    'moment',
    'out-of-sight',
    'planned-once',
    'pool-driver',
    'pool',
    'pooler',
    'readiness',
    'row-types',
    'session-settings',
    'sql',
    'statement-names',
    'tenant',
    'transact',
    'unhurried',
    'visibility',
    'warmest-connection',
    'whose',
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
    'search',
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

t.test('what the rooms of ui/parts share imports none of them', async (t) => {
  const shared = product.filter(({ path }) => dirname(path) === 'ui/parts')
  const back = shared.flatMap(({ path, imports }) =>
    imports.filter(({ to }) => /^ui\/parts\/.+\//.test(to)).map(({ to }) => `${path} imports ${to}`),
  )
  t.ok(shared.length > 0)
  t.same(back, [])
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
