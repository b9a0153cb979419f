import { PassThrough } from 'node:stream'
import t from 'tap'
import { createByteBudget } from '#http/bodies/byte-budget.ts'
import { type Reading, readBody } from '#http/bodies/read-body.ts'

const reading = (given: Partial<Reading> = {}): Reading => ({
  announced: undefined,
  most: 10_000,
  ms: 60_000,
  budget: createByteBudget(100_000),
  owner: ['one'],
  ...given,
})

t.test('a body comes as it was sent', async (t) => {
  const source = new PassThrough()
  const read = readBody(source, reading())
  source.write('hel')
  source.end('lo')
  const { body } = await read
  t.equal(body.toString(), 'hello')
})

t.test('a body that takes too long is refused, and what still comes is thrown away', async (t) => {
  const source = new PassThrough()
  const read = readBody(source, reading({ ms: 20 }))
  source.write('hel')
  await t.rejects(read, { code: 'invalid', status: 400, message: /took too long/ })
  source.write('x'.repeat(100_000))
  t.ok(source.readableFlowing)
})

t.test('a body that is too large is refused: at its announcement, or where it exceeds the limit', async (t) => {
  const tooLarge = { code: 'invalid', status: 413 }
  await t.rejects(readBody(new PassThrough(), reading({ announced: '10001' })), tooLarge)
  const source = new PassThrough()
  const read = readBody(source, reading())
  source.write('x'.repeat(10_001))
  await t.rejects(read, tooLarge)
})

t.test('a body whose client leaves is no error of ours, and is held no more', async (t) => {
  const budget = createByteBudget(1000)
  const source = new PassThrough()
  const read = readBody(source, reading({ budget }))
  source.write('x'.repeat(700))
  source.destroy()
  await t.rejects(read, { code: 'invalid', status: 400 })
  const next = new PassThrough()
  const second = readBody(next, reading({ budget, owner: ['two'] }))
  next.end('x'.repeat(700))
  t.equal((await second).body.length, 700)
})

t.test('pieces of a byte count as what they take in memory', async (t) => {
  const source = new PassThrough()
  const read = readBody(source, reading({ budget: createByteBudget(10_000) }))
  read.catch(() => {})
  for (let piece = 0; piece < 100; piece += 1) {
    source.write('x')
    await new Promise(setImmediate)
  }
  await t.rejects(read, { code: 'unavailable', status: 503, retryAfter: 5 })
})

t.test('a body for which there is no room is read for nothing, slowly, and then refused', async (t) => {
  const budget = createByteBudget(10_000)
  const first = new PassThrough()
  const read = readBody(first, reading({ budget, announced: '8000' }))
  const second = new PassThrough({ highWaterMark: 1000 })
  const begun = performance.now()
  const refused = t.rejects(readBody(second, reading({ budget, announced: '8000' })), {
    code: 'unavailable',
    status: 503,
    retryAfter: 5,
  })
  for (let piece = 0; piece < 8; piece += 1) second.write('x'.repeat(1000))
  second.end()
  await refused
  t.ok(performance.now() - begun > 100, 'not as quickly as it is sent')
  first.end('x'.repeat(8000))
  t.equal((await read).body.length, 8000)
})

t.test('one whose sender waits is refused before its end', async (t) => {
  const read = readBody(new PassThrough(), reading({ budget: createByteBudget(100), announced: '8000' }))
  await t.rejects(read, { code: 'unavailable', status: 503, retryAfter: 5 })
})

t.test('what is announced counts once, and so does what comes beyond it', async (t) => {
  const budget = createByteBudget(2000)
  const source = new PassThrough()
  const read = readBody(source, reading({ budget, announced: '700' }))
  source.end('x'.repeat(1000))
  const { holding } = await read
  const next = new PassThrough()
  const second = readBody(next, reading({ budget, announced: 'a few' }))
  next.end('x'.repeat(100))
  t.equal((await second).body.length, 100)
  holding.end()
})
