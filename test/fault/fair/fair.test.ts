import t from 'tap'
import { directoriesOf, removePostgres, self } from '#dev/leftovers.ts'
import { startProofServer } from '../proofs/server.ts'
import { playFair } from './play-fair.ts'

/* `npm run proof -- fair` measures more, and compares: here other tests take the processor. */

/** An answer of the code host that does not come is waited for three times, ten seconds each. */
const patience = 10_000

t.test("nobody's request waits for an organisation that is hostile, or whose code host hangs", async (t) => {
  t.setTimeout(120_000)
  const { postgres } = directoriesOf('proof', self)
  const stops: (() => Promise<unknown>)[] = [() => removePostgres(postgres)]
  t.teardown(async () => {
    for (const stop of stops.toReversed()) await stop()
  })
  const { url: databaseUrl } = await startProofServer(postgres)
  const ground = { databaseUrl, postgresDir: postgres, dataDir: t.testdir() }
  const figures = await playFair({
    ...{ ...ground, rounds: 3, waiting: 40, hostile: ['5,000 globs on 1,000 paths'], uploading: 2 },
    tell: (line) => t.comment(line),
    later: (stop) => stops.push(stop),
  })
  t.same(
    figures.map(({ what, beside }) => `${what} beside ${beside}`),
    ['5,000 globs on 1,000 paths', 'a code host that hangs'].flatMap((beside) =>
      ['comments', 'uploads', 'results'].map((what) => `${what} beside ${beside}`),
    ),
  )
  for (const { what, beside, before, after } of figures)
    t.ok(after < patience, `${what}: ${before} ms alone, ${after} ms beside ${beside}`)
})
