import t from 'tap'
import { packUpload, unpackUpload } from '#commands/resolving/packed-upload.ts'
import type { ResolvedUpload } from '#commands/resolving/resolve-upload.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

const resolved = (count: number): ResolvedUpload => {
  const keys = Array.from({ length: count }, (_, n) => `stack/ü${n}`)
  const affected = keys.map((key, n) => ({
    ...{ key, path: key, wave: n % 3, reasons: ['changed'], via: [] },
    ...{ environment: 'default', tool: 'terraform', plan_output: 'full' },
  }))
  const lists = { waves: [keys], warnings: [], cycles: [], external: [], addedStacks: [], addedEdges: [], unknown: [] }
  return {
    ok: true,
    graph: {
      ...{ tree_hash: 't', keys, body: bytes('{"ü":1}') },
      outline: bytes('{}'),
      listing: bytes('[]'),
      compact: bytes('{}'),
    },
    baseSha: undefined,
    resolution: { ...lists, affected },
  } as ResolvedUpload
}

/** As a message comes to another thread. */
const sent = (upload: ResolvedUpload) => {
  const { message, moved } = packUpload(upload)
  return structuredClone(message, { transfer: moved })
}

t.test('what was resolved comes to another thread as it was, however much it is', async (t) => {
  for (const count of [0, 1, 1000, 2500]) t.same(await unpackUpload(sent(resolved(count))), resolved(count), `${count}`)
})

t.test('so does what an upload was refused for', async (t) => {
  const refused = { ok: false, field: 'graph.sha', reason: 'is another' } as const
  t.same(await unpackUpload(sent(refused)), refused)
})

t.test('its texts are moved, not copied', async (t) => {
  const upload = resolved(1)
  sent(upload)
  if (!upload.ok) return t.fail('it was resolved')
  const { body, outline, listing, compact } = upload.graph
  t.same(
    [body, outline, listing, compact].map(({ byteLength }) => byteLength),
    [0, 0, 0, 0],
  )
})
