import t from 'tap'
import { startWorld } from '#test/helpers/world.ts'
import { addKey } from '#test/scenes/scene.ts'
import { fieldsOf } from './shown/fields.ts'
import { playShown } from './shown/story.ts'
import { requestFields, unshown } from './shown/unshown.ts'

const world = await startWorld(t)

t.test('every field of every request is listed with where it is shown, or with why it is not', async (t) => {
  const document = await (await fetch(`${world.service.url}/v1/openapi.json`)).json()
  const asked = requestFields(document as Parameters<typeof requestFields>[0])
  const listed = Object.entries(fieldsOf({ sha: '', baseSha: '', number: 1 })).flatMap(([schema, fields]) =>
    Object.keys(fields).map((field) => `${schema}.${field}`),
  )
  t.ok(asked.length > 30, `${asked.length} fields`)
  t.same(
    asked.filter((field) => !listed.includes(field)),
    [],
    'list it in test/fault/shown/fields.ts',
  )
  t.same(
    listed.filter((field) => !asked.includes(field)),
    [],
    'and nothing else is',
  )
})

t.test('every field that is to be seen is there', async (t) => {
  const told = await playShown(world, await addKey(world))
  t.same(unshown(told), [])
  const without = { ...told, places: { ...told.places, 'the row': '', "the verdict's check run": '' } }
  t.match(
    unshown(without).join('\n'),
    /CheckVerdict\.details \(.*\) is not in the verdict's check run/,
    'or it is named',
  )
})
