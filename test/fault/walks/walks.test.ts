import t from 'tap'
import { testDatabase } from '#test/helpers/database.ts'
import { diceOf } from './dice.ts'
import { openPlace, type Place } from './place.ts'
import { playWalks } from './play-walks.ts'
import { again, held, manual, twice } from './scripts.ts'
import { takeWalk } from './take-walk.ts'

/* `npm run proof -- walks` takes 10,000 of these, with all the transitions that they can take. */

const seeds = Array.from({ length: 16 }, (_, index) => index + 1)

/** The place, where the first answer to each start of a manual run is lost. */
const losingAnswers = (place: Place): Place => ({
  ...place,
  asking: {
    ...place.asking,
    ask: async (request, from) => {
      if (!request.body?.includes('"manual"')) return place.asking.ask(request, from)
      await place.asking.ask(request, from)
      return { ...(await place.asking.ask(request, from)), isRepeated: true }
    },
  },
})

t.test(`${seeds.length} random walks of the system show what the reference model says`, async (t) => {
  t.setTimeout(120_000)
  const { url } = await testDatabase(t)
  const place = await openPlace(url, 12)
  t.teardown(() => place.close())
  const report = await playWalks(place, { seeds, length: 12, tell: (line) => t.comment(line) })
  t.same([...report.broken, ...place.instances.outOfOrder()], [])
  t.equal(report.walks, seeds.length)
  for (const name of ['svc apply', 'report a plan', 'upload', 'push'])
    t.ok((report.kinds[name] ?? 0) > 0, `some steps are '${name}'`)
  t.comment(JSON.stringify(report))
  const walked = await takeWalk(place, { ...again, length: 0 })
  t.same(walked.broken, [], 'and so does one in which every result is sent again')
  t.same(walked.taken, again.script)
  const strange = await takeWalk(place, { ...twice, length: 0 })
  t.same(strange.broken, [], 'and one in which a dispatch has two workflow runs, and one of them two attempts')
  t.same(strange.taken, twice.script)
  const lost = await takeWalk(losingAnswers(place), { ...manual, length: 0 })
  t.same(lost.broken, [], 'and one in which the answer to the start of a manual run is lost')
  t.same(lost.taken, manual.script)
  const waiting = await takeWalk(place, { ...held, length: 0 })
  t.same(waiting.broken, [], 'and one in which a window holds waves')
  t.same(waiting.taken, held.script)
  t.same([...strange.heard].filter((name) => name.includes('workflow.bound')).sort(), [
    'dispatch awaiting: workflow.bound #1',
    'dispatch bound: workflow.bound #1',
    'dispatch bound: workflow.bound #2',
    'dispatch bound: workflow.bound #3',
    'dispatch completed: workflow.bound #1',
    'dispatch lost: workflow.bound #1',
  ])
})

t.test('the dice of a walk fall alike for the same seed and step, and differ for neighbours', async (t) => {
  const throws = (seed: number, at: number): number[] => {
    const dice = diceOf(seed, at)
    return Array.from({ length: 6 }, () => dice(1000))
  }
  t.same(throws(7, 3), throws(7, 3))
  t.notSame(throws(7, 3), throws(7, 4))
  t.notSame(throws(7, 3), throws(8, 3))
  const differences = Array.from({ length: 50 }, (_, at) => (throws(1, at + 1)[0] ?? 0) - (throws(1, at)[0] ?? 0))
  t.ok(new Set(differences).size > 40, 'neither by the same amount')
})
