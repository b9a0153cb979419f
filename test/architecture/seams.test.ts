import t from 'tap'
import { exportsForTests } from '#test/architecture/exports.ts'
import { files, product, type SourceFile, sourceFile, tests } from '#test/helpers/source-files.ts'

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

t.test('the schema of a row is made once, not in each statement: zod compiles it at its first row', async (t) => {
  const makes = /\bsql\.type\((?!\w+(\.\w+)*\))/
  t.match('sql.type(z.object({ id: z.number() }))`', makes)
  t.notMatch('sql.type(IdRow)`', makes)
  t.same(
    product.filter((file) => makes.test(file.text)).map((file) => file.path),
    [],
  )
})

t.test('machines start nothing and wait for nothing by themselves: all their steps share one actor', async (t) => {
  const starts = /\b(invoke|after|always)\s*:|\b(spawn|spawnChild|raise|sendTo|emit)\(/
  const machines = product.filter((file) => file.path.startsWith('machines/'))
  t.ok(machines.length > 10 && starts.test('invoke: { src }') && starts.test('raise({ type })'))
  t.same(
    machines.filter((file) => starts.test(file.text)).map((file) => file.path),
    [],
  )
})

t.test('src/db/views only reads, and locks nothing', async (t) => {
  const writes = /\b(insert into|delete from|update \w+ (\w+ )?set|for (no key )?update)\b/
  const views = product.filter((file) => file.path.startsWith('src/db/views/'))
  t.ok(views.length > 10 && product.some((file) => file.path.startsWith('src/db/') && writes.test(file.text)))
  t.same(
    views.filter((file) => writes.test(file.text)).map((file) => file.path),
    [],
  )
})

t.test('jobs are made by their table', async (t) => {
  const spells = /\blane: (?!string\b)/
  const outside = product.filter((file) => /^src\/(?!(jobs|db\/queue)\/)/.test(file.path) && spells.test(file.text))
  t.same(
    outside.map(({ path }) => path),
    [],
    'key and lane are spelled once',
  )
  t.ok(spells.test(files.find(({ path }) => path === 'src/jobs/table.ts')?.text ?? ''), 'they would be found')
})

t.test('no answer is cast to its schema: what a command returns fits it, or does not compile', async (t) => {
  const cast = /\.send\(.*\bas (?!never\b)\w/
  const routes = product.filter((file) => file.path.startsWith('src/http/routes/'))
  t.ok(routes.length > 10 && cast.test('reply.send((await read(deps)) as Run)'))
  t.same(
    routes.filter((file) => cast.test(file.text)).map((file) => file.path),
    [],
  )
})

/** Part of the product, though nothing in it uses them yet. */
const ahead = ['src/domain/config/config-file.ts: configJsonSchema']

t.test('nothing is exported for tests alone: what only they use is among them', async (t) => {
  const found = exportsForTests(product, tests).filter((each) => !ahead.includes(each))
  t.same(found, [])
})

t.test('an export for tests alone would be found', async (t) => {
  const text = 'export const used = 1\nexport const inside = used\nexport const bare = inside\n'
  const one = { ...sourceFile('src/one.ts'), text }
  const two = { ...sourceFile('src/two.ts', 'src/one.ts'), text: 'bare' }
  const test = { ...sourceFile('test/one.test.ts', 'src/one.ts'), text: 'used inside bare' }
  t.same(exportsForTests([one], [test]), ['src/one.ts: bare'])
  t.same(exportsForTests([one, two], [test]), [])
  t.same(exportsForTests([one], []), [], 'what nobody uses is found by knip')
})
