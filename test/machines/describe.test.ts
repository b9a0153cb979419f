import { readFile } from 'node:fs/promises'
import t from 'tap'
import { machineDocs } from '#dev/docs/machine-docs.ts'
import { describe } from '#machines/describe.ts'

t.test('docs/machines.md is what the machines say about themselves', async (t) => {
  const committed = await readFile(new URL('../../docs/machines.md', import.meta.url), 'utf8')
  t.equal(committed, machineDocs(), 'run `node src/dev/docs/machine-docs.ts` and commit the file')
})

t.test('a machine is data: states, transitions, guards, actions', async (t) => {
  const run = describe('run')
  t.same(JSON.parse(JSON.stringify(run)), run, 'JSON throughout')
  t.match(run, { kind: 'run', version: 2, initial: 'pending' })
  t.same(
    run.states.map(({ name }) => name),
    [
      'pending',
      'planning',
      'planned',
      'applying',
      'applying.running',
      'applying.holding',
      'applying.draining',
      'applying.superseding',
      'applied',
      'failed',
      'unconfirmed',
      'superseded',
    ],
  )
  const running = run.states.find(({ name }) => name === 'applying.running')
  t.match(running?.on[1], {
    event: 'stack.settled',
    guard: 'wave still open; this stack failed or is unconfirmed',
    target: 'applying.draining',
    actions: [{ type: 'count' }, { type: 'awaitCaller' }, { type: 'blockDependents' }],
  })
  t.equal(run.states.find(({ name }) => name === 'applying')?.initial, 'running')
  t.same(
    run.states.filter(({ final }) => final).map(({ name }) => name),
    ['planned', 'applied', 'failed', 'unconfirmed', 'superseded'],
  )
})

t.test('fixed parameters are shown, computed ones are not', async (t) => {
  const held = describe('lock').states.find(({ name }) => name === 'held')
  t.same(held?.exit, [{ type: 'cancelTimer', params: { name: 'reminder' } }])
  t.same(held?.entry, [{ type: 'scheduleTimer' }])
  t.same(describe('run').on[0]?.actions, [{ type: 'addWarning' }])
})
