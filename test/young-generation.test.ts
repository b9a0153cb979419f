import { execFileSync } from 'node:child_process'
import t from 'tap'

/** Bytes of the young generation after the start, after much work while it is held, and after as much when it is not. */
const work = `
import { getHeapSpaceStatistics } from 'node:v8'
import { holdYoungGeneration, releaseYoungGeneration } from '#young-generation.ts'
const size = () => getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space').space_size
const load = () => {
  let kept = []
  for (let n = 0; n < 2_000_000; n++) kept = n % 200_000 === 0 ? [] : (kept.push({ n }), kept)
  return size()
}
holdYoungGeneration()
const held = load()
releaseYoungGeneration()
console.log(JSON.stringify({ held, released: load() }))`

t.test('the young generation stays small while it is held, and grows with the work after that', async (t) => {
  const flags = ['--max-semi-space-size=8', '--input-type=module-typescript', '--eval', work]
  const { held, released } = JSON.parse(execFileSync(process.execPath, flags, { encoding: 'utf8' }))
  t.ok(held <= 4 * 1024 ** 2, `${held} bytes while held`)
  t.ok(released >= 12 * 1024 ** 2, `${released} bytes under load`)
})
