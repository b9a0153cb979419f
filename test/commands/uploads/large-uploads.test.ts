import t from 'tap'
import { createResolver } from '#commands/uploads/resolver.ts'

const upload = (repoId: number, bytes: number) => ({
  bytes: new Uint8Array(bytes),
  repoId,
  signal: new AbortController().signal,
})

/** Begins work on uploads of so many bytes, and ends it in that order; says how many were under way at most. */
const mostAtOnce = async (bytes: number): Promise<number> => {
  const resolver = createResolver()
  let [underWay, most] = [0, 0]
  const work = async (): Promise<void> => {
    underWay += 1
    most = Math.max(most, underWay)
    await new Promise((resolve) => setImmediate(resolve))
    underWay -= 1
  }
  await Promise.all([1, 1, 2, 3].map((repoId) => resolver.inTurn(upload(repoId, bytes), work)))
  await resolver.stop()
  return most
}

t.test('one large upload at a time is resolved and recorded: each takes some 60 MB meanwhile', async (t) => {
  t.equal(await mostAtOnce(2_000_000), 1)
})

t.test('small uploads wait for no other', async (t) => {
  t.equal(await mostAtOnce(100_000), 4)
})
