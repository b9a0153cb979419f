import t from 'tap'
import { testDatabase } from '#test/helpers/database.ts'
import { diceOf } from './dice.ts'
import { openPlace, type Place } from './place.ts'
import { playWalks } from './play-walks.ts'
import { takeWalk } from './take-walk.ts'

/* `npm run proof -- walks` takes 10,000 of these, with all the transitions that they can take. */

const seeds = Array.from({ length: 16 }, (_, index) => index + 1)

/** A plan and an apply whose jobs send their results twice, each of another kind. */
const again: readonly (readonly [name: string, key: string])[] = [
  ['open a pull request', '0'],
  ['register', '0 anew'],
  ['upload', '0 all 0'],
  ['report a plan', '0 a changes 0'],
  ['report a plan', '0 a changes 2'],
  ['report a plan', '0 b none 3'],
  ['report a plan', '0 b none 3'],
  ['report a plan', '0 b failed 4'],
  ['report the rest of a plan', '0'],
  ['svc apply', '0'],
  ['a dispatched job reports', '1.0.0 a changes 0'],
  ['a dispatched job reports', '1.0.0 a changes 0'],
  ['svc apply', '0'],
]

/** A dispatch that goes out twice, is given up, and is then taken by the second attempt of its workflow run. */
const twice: readonly (readonly [name: string, key: string])[] = [
  ['open a pull request', '0'],
  ['register', '0 anew'],
  ['upload', '0 one 2'],
  ['report the rest of a plan', '0'],
  ['the next dispatch goes wrong', 'unlisted'],
  ['svc apply', '0'],
  ['a dispatch is sent again', '1.0'],
  ['news that a dispatched workflow run has begun', '1.0.0'],
  ['nobody picks a dispatch up', '1.0'],
  ['a dispatched workflow run ends', '1.0.0'],
  ['a dispatched workflow run ends, and its news comes late', '1.0.1'],
  ['a dispatched workflow run is run again', '1.0.1'],
  ['a dispatched job begins', '1.0.1 c'],
  ['a dispatched job begins', '1.0.1.late c'],
  ['late news that a dispatched workflow run has ended', '1.0.0'],
  ['a dispatched workflow run ends', '1.0.1'],
  ['late news that a dispatched workflow run has ended', '1.0.0'],
]

/** A manual run of all stacks, reported by its caller. */
const manual: readonly (readonly [name: string, key: string])[] = [
  ['open a pull request', '0'],
  ['register', '0 anew'],
  ['upload', '0 all 0'],
  ['start a manual run', '0'],
  ['report of a manual run', '1 a changes 0'],
  ['start a manual run', '0'],
]

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

const scriptOf = (steps: typeof again) => steps.map(([name, key], at) => ({ name, key, at: at + 1 }))

t.test(`${seeds.length} random walks of the system show what the reference model says`, async (t) => {
  t.setTimeout(120_000)
  const { url } = await testDatabase(t)
  const place = await openPlace(url, 12)
  t.teardown(() => place.close())
  const report = await playWalks(place, { seeds, length: 12, tell: (line) => t.comment(line) })
  t.same(report.broken, [])
  t.equal(report.walks, seeds.length)
  for (const name of ['svc apply', 'report a plan', 'upload', 'push'])
    t.ok((report.kinds[name] ?? 0) > 0, `some steps are '${name}'`)
  t.comment(JSON.stringify(report))
  const walked = await takeWalk(place, { seed: 0, length: 0, script: scriptOf(again) })
  t.same(walked.broken, [], 'and so does one in which every result is sent again')
  t.same(walked.taken, scriptOf(again))
  const strange = await takeWalk(place, { seed: 0, length: 0, script: scriptOf(twice) })
  t.same(strange.broken, [], 'and one in which a dispatch has two workflow runs, and one of them two attempts')
  t.same(strange.taken, scriptOf(twice))
  const lost = await takeWalk(losingAnswers(place), { seed: 0, length: 0, script: scriptOf(manual) })
  t.same(lost.broken, [], 'and one in which the answer to the start of a manual run is lost')
  t.same(lost.taken, scriptOf(manual))
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
