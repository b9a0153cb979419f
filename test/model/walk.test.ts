import t from 'tap'
import { stranded } from './reach.ts'
import { build, send } from './system.ts'
import { walk } from './walk.ts'

/* `npm run proof -- reach` takes many more walks. */

for (const [mode, manual, reached] of [
  ['plan', false, ['failed', 'planned', 'superseded', 'unconfirmed']],
  ['apply', false, ['applied', 'failed', 'superseded', 'unconfirmed']],
  ['apply', true, ['applied', 'failed', 'superseded', 'unconfirmed']],
] as const) {
  t.test(
    `${manual ? 'manual ' : ''}${mode} runs, their stacks, locks and dispatches keep the invariants together`,
    async (t) => {
      const ends = new Map<string, number>()
      const wrong = Array.from({ length: 250 }, (_, seed) => walk({ seed, mode, manual }, ends)).flat()
      t.same(wrong.slice(0, 5), [])
      t.same([...ends.keys()].sort(), reached, 'and reach every end')
    },
  )
}

t.test('a machine that waits for ever would be seen', async (t) => {
  const place = { key: 'a', wave: 0, needs: [], reaches: new Set<string>() }
  const sent = send(build('apply', [place], true), { kind: 'run' }, { type: 'apply.requested', tallies: [1] })
  if (typeof sent === 'string') throw new Error(sent)
  const found = (armed: string[]) => stranded({ ...sent.system, armed: new Set(armed) }).filter(Boolean)
  t.same(found(['run caller']), [])
  t.same(found([]), ['a manual run is applying.running, and nobody waits for its caller'])
})
