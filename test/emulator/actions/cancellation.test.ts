// biome-ignore-all lint/suspicious/noTemplateCurlyInString: workflow files write expressions that way
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createWorld } from './actions-host.ts'

/** Runs until it gets SIGINT, and says so; `mark` appears in the log once the trap is set. */
const waiting = (mark: string) => `
      - run: |
          trap 'echo interrupted; exit 0' INT
          echo ${mark}
          while true; do sleep 0.02; done`

t.test('cancel-in-progress ends the run before, whose always() steps still run', async (t) => {
  const world = createWorld(t)
  const text = (steps: string) => `
concurrency: { group: "plan-\${{ github.event.number }}", cancel-in-progress: true }
jobs:
  plan:
    runs-on: x
    steps:${steps}
      - { name: not any more, run: echo unreachable }
      - { name: report, if: always(), run: 'echo "reported \${{ job.status }}"' }
`
  const first = world.request(text(waiting('ready')))
  const running = world.engine.start(first)
  await world.until(() => /^ready$/m.test(world.logs.get(world.jobs(first.id)[0]?.id ?? 0) ?? ''))
  const second = world.engine.start(world.request(text('\n      - run: echo quick')))
  t.same([await running.done, await second.done], ['cancelled', 'success'])
  t.match(world.log(first.id, 'plan'), /^interrupted\n##\[error\]The operation was canceled\.$/m)
  t.match(world.log(first.id, 'plan'), /^reported cancelled/m)
  t.same(
    world.jobs(first.id)[0]?.steps.map(({ conclusion }) => conclusion),
    ['success', 'cancelled', 'skipped', 'success', 'success'],
  )
  const order = world.runs.map(({ id, status }) => `${id === first.id ? 'first' : 'second'} ${status}`)
  t.same(order, ['first in_progress', 'first completed', 'second in_progress', 'second completed'])
})

t.test('without it one run waits, and a third takes its place', async (t) => {
  const world = createWorld(t)
  const flag = join(world.directory, 'go')
  const text = (group: string) => `
concurrency: ${group}
jobs: { a: { runs-on: x, steps: [{ run: "until [ -e '${flag}' ]; do sleep 0.02; done" }] } }
`
  const [first, second, third, other] = ['One', 'one', 'ONE', 'two'].map((group) => world.request(text(group)))
  const runs = [first, second, third, other].map((request) => world.engine.start(request!))
  t.equal(await runs[1]!.done, 'cancelled')
  t.same(world.jobs(second!.id), [])
  await world.until(() => world.jobs(other!.id)[0]?.status === 'in_progress')
  t.same(world.jobs(third!.id), [], 'the third waits for the first')
  writeFileSync(flag, '')
  t.same(await Promise.all(runs.map((run) => run.done)), ['success', 'cancelled', 'success', 'success'])
})

t.test('cancelling', async (t) => {
  const world = createWorld(t)
  const request = world.request(`
jobs:
  plan:
    runs-on: x
    steps:${waiting('ready-plan')}
  stubborn:
    runs-on: x
    steps:
      - run: |
          trap '' INT TERM
          (trap '' INT TERM; while true; do sleep 0.02; done) &
          echo "child $!"
          while true; do sleep 0.02; done
  after: { needs: plan, runs-on: x, steps: [{ run: echo no }] }
  cleanup: { needs: plan, if: always(), runs-on: x, steps: [{ run: 'echo "plan \${{ needs.plan.result }}"' }] }
`)
  const run = world.engine.start(request)
  const text = () => [...world.logs.values()].join('')
  await world.until(() => /^ready-plan$/m.test(text()) && /^child \d+$/m.test(text()))
  run.cancel()
  t.equal(await run.done, 'cancelled')
  t.same(world.results(request.id), { plan: 'cancelled', stubborn: 'cancelled', after: 'skipped', cleanup: 'success' })
  t.match(world.log(request.id, 'cleanup'), /^plan cancelled$/m)
  const child = /^child (\d+)$/m.exec(text())?.[1]
  const state = existsSync(`/proc/${child}/stat`) ? readFileSync(`/proc/${child}/stat`, 'utf8').split(' ')[2] : 'gone'
  t.ok(['gone', 'Z', 'X'].includes(state ?? ''), 'nothing of the stubborn step is left')
})

t.test('a job with always() goes on when its run is cancelled', async (t) => {
  const world = createWorld(t)
  const flag = join(world.directory, 'go')
  const request = world.request(`
jobs:
  keeps: { if: always(), runs-on: x, steps: [{ run: "echo begun; until [ -e '${flag}' ]; do sleep 0.02; done; echo ended" }] }
  stops: { runs-on: x, steps: [{ run: "echo begun; while true; do sleep 0.02; done" }] }
`)
  const run = world.engine.start(request)
  await world.until(() => ([...world.logs.values()].join('').match(/^begun$/gm) ?? []).length === 2)
  run.cancel()
  await world.until(() => world.results(request.id).stops === 'cancelled')
  writeFileSync(flag, '')
  t.equal(await run.done, 'cancelled')
  t.same(world.results(request.id), { keeps: 'success', stops: 'cancelled' })
})

t.test('closing the engine ends even always() steps, and lets nothing start', async (t) => {
  const world = createWorld(t)
  const request = world.request(`
jobs:
  a: { runs-on: x, steps: [{ run: "echo begun; while true; do sleep 0.02; done" }, { if: always(), run: echo late }] }
  b: { needs: a, if: always(), runs-on: x, steps: [{ run: echo late }] }
`)
  const run = world.engine.start(request)
  await world.until(() => /^begun$/m.test([...world.logs.values()].join('')))
  await world.engine.close()
  t.equal(await run.done, 'cancelled')
  t.same(world.results(request.id), { a: 'cancelled', b: 'skipped' })
  t.notMatch([...world.logs.values()].join(''), /^late$/m)
  t.throws(() => world.engine.start(request), { message: /closed/ })
})
