import { readFile } from 'node:fs/promises'
import t from 'tap'
import { dumpSchema, schemaFile } from '#dev/schema.ts'
import { testDatabase } from '#test/helpers/database.ts'

t.test('migrations/schema.sql is the sum of the migrations (npm run schema writes it)', async (t) => {
  const { url } = await testDatabase(t)
  t.equal(await readFile(schemaFile, 'utf8'), await dumpSchema(url))
})
