// biome-ignore-all lint/suspicious/noTemplateCurlyInString: workflow files write expressions that way
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createWorld } from './actions-host.ts'

t.test('outputs become a matrix, and the matrix a need', async (t) => {
  const world = createWorld(t)
  const run = await world.run(`
name: flow
run-name: plan of \${{ github.event.number }} by \${{ github.actor }}
jobs:
  resolve:
    runs-on: ubuntu-latest
    outputs: { matrix: "\${{ steps.r.outputs.matrix }}", any: "\${{ steps.r.outputs.any }}" }
    steps:
      - id: r
        run: |
          echo 'any=true' >> "$GITHUB_OUTPUT"
          echo 'matrix={"include":[{"stack":"aws/prod","n":1},{"stack":"aws/dev","n":2}]}' >> "$GITHUB_OUTPUT"
  plan:
    needs: resolve
    if: needs.resolve.outputs.any == 'true'
    runs-on: [self-hosted, "n\${{ matrix.n }}"]
    strategy: { fail-fast: false, matrix: "\${{ fromJSON(needs.resolve.outputs.matrix) }}" }
    outputs: { last: "\${{ matrix.n > 0 }}" }
    env: { STACK: "\${{ matrix.stack }}" }
    steps:
      - run: echo "planned $STACK as \${{ strategy.job-index }} of \${{ strategy.job-total }}"
  after:
    name: After all
    needs: [plan, resolve]
    runs-on: x
    steps:
      - run: echo "\${{ needs.plan.result }} \${{ needs.plan.outputs.last }} \${{ needs.resolve.outputs.any }}"
`)
  t.equal(run.conclusion, 'success')
  t.same(run.results, {
    resolve: 'success',
    'plan (aws/prod, 1)': 'success',
    'plan (aws/dev, 2)': 'success',
    'After all': 'success',
  })
  t.match(run.log('plan (aws/prod, 1)'), /^planned aws\/prod as 0 of 2$/m)
  t.match(run.log('plan (aws/dev, 2)'), /^planned aws\/dev as 1 of 2$/m)
  t.match(run.log('After all'), /^success true true$/m)
  t.same(world.jobs(run.id).find((job) => job.name === 'plan (aws/dev, 2)')?.labels, ['self-hosted', 'n2'])
  t.same(world.runs, [
    { id: run.id, attempt: 1, displayTitle: 'plan of 7 by mona' },
    { id: run.id, attempt: 1, status: 'in_progress' },
    { id: run.id, attempt: 1, status: 'completed', conclusion: 'success' },
  ])
  const resolve = world.updates.filter((update) => update.name === 'resolve')
  t.same(
    resolve.map(({ status, steps }) => `${status} ${steps.map((step) => step.conclusion ?? step.status).join(',')}`),
    [
      'queued ',
      'in_progress in_progress',
      'in_progress success',
      'in_progress success,in_progress',
      'in_progress success,success',
      'in_progress success,success,in_progress',
      'in_progress success,success,success',
      'completed success,success,success',
    ],
  )
  t.same(
    resolve.at(-1)?.steps.map(({ number, name }) => `${number} ${name}`),
    ['1 Set up job', '2 Run echo \'any=true\' >> "$GITHUB_OUTPUT"', '3 Complete job'],
  )
  t.same(
    readdirSync(join(world.host.workDir, 'runs', String(run.id), '1')).filter((name) => !name.endsWith('.log')),
    [],
    'workspaces are gone, logs stay',
  )
})

t.test('a failure skips the jobs that need it, except one with always()', async (t) => {
  const world = createWorld(t)
  const run = await world.run(`
jobs:
  broken:
    runs-on: x
    steps:
      - { id: tried, run: exit 3, continue-on-error: true }
      - run: echo "outcome \${{ steps.tried.outcome }} conclusion \${{ steps.tried.conclusion }}"
      - { name: breaks, run: "echo before; false; echo never" }
      - { name: skipped, run: echo unreachable }
      - { name: on failure, if: failure(), run: 'echo "status \${{ job.status }}"' }
      - { name: regardless, if: always(), run: echo regardless }
  next: { needs: broken, runs-on: x, steps: [{ run: echo no }] }
  after: { needs: next, runs-on: x, steps: [{ run: echo no }] }
  cleanup: { needs: next, if: always(), runs-on: x, steps: [{ run: 'echo "next was \${{ needs.next.result }}"' }] }
  alarm: { needs: next, if: failure(), runs-on: x, steps: [{ run: echo alarm }] }
  follow: { needs: cleanup, runs-on: x, steps: [{ run: echo no }] }
  other: { runs-on: x, if: "github.event.number == 8", steps: [{ run: echo no }] }
`)
  t.equal(run.conclusion, 'failure')
  t.same(run.results, {
    broken: 'failure',
    next: 'skipped',
    after: 'skipped',
    cleanup: 'success',
    alarm: 'success',
    follow: 'skipped',
    other: 'skipped',
  })
  t.match(run.log('broken'), /^outcome failure conclusion success$/m)
  t.match(run.log('broken'), /^before\n##\[error\]Process completed with exit code 1\.$/m)
  t.match(run.log('broken'), /^status failure$/m)
  t.match(run.log('cleanup'), /^next was skipped$/m)
  t.same(
    world
      .jobs(run.id)
      .find((job) => job.name === 'broken')
      ?.steps.map(({ name, conclusion }) => `${name}: ${conclusion}`),
    [
      'Set up job: success',
      'Run exit 3: success',
      'Run echo "outcome ${{ steps.tried.outcome }} conclusion ${{ steps.tried.conclusion }}": success',
      'breaks: failure',
      'skipped: skipped',
      'on failure: success',
      'regardless: success',
      'Complete job: success',
    ],
  )
  t.same(world.jobs(run.id).find((job) => job.name === 'next')?.steps, [])
})

t.test('a run of skipped jobs is skipped', async (t) => {
  const run = await createWorld(t).run('jobs: { a: { if: false, runs-on: x, steps: [{ run: echo no }] } }')
  t.same([run.conclusion, run.results], ['skipped', { a: 'skipped' }])
})

t.test('runners and max-parallel limit how many jobs run at a time', async (t) => {
  const most = (updates: { id: number; status: string }[]) => {
    const running = new Set<number>()
    return updates.reduce((max, { id, status }) => {
      if (status === 'in_progress') running.add(id)
      else running.delete(id)
      return Math.max(max, running.size)
    }, 0)
  }
  for (const [runners, maxParallel, expected] of [
    [2, 5, 2],
    [5, 1, 1],
    [3, 3, 3],
  ] as const) {
    const world = createWorld(t, { runners })
    const begun = join(world.directory, 'begun')
    mkdirSync(begun)
    const isFull = `[ "$(ls '${begun}' | wc -l)" -ge ${expected} ]`
    const run = await world.run(`
jobs:
  a:
    runs-on: x
    strategy: { max-parallel: ${maxParallel}, matrix: { n: [1, 2, 3, 4, 5] } }
    steps:
      - run: |
          touch '${begun}'/\${{ matrix.n }}
          until ${isFull}; do sleep 0.01; done
`)
    t.equal(run.conclusion, 'success')
    t.equal(most(world.updates), expected, `${runners} runners, max-parallel ${maxParallel}`)
  }
})

t.test('with fail-fast the first failure of a matrix cancels the others', async (t) => {
  const text = (failFast: string) => `
jobs:
  a:
    runs-on: x
    strategy: { ${failFast} matrix: { n: [1, 2, 3] } }
    steps: [{ run: "[ \${{ matrix.n }} != 2 ]" }]
  b: { needs: a, if: always(), runs-on: x, steps: [{ run: 'echo "a \${{ needs.a.result }}"' }] }
`
  const fast = await createWorld(t, { runners: 1 }).run(text(''))
  t.same(fast.results, { 'a (1)': 'success', 'a (2)': 'failure', 'a (3)': 'cancelled', b: 'success' })
  t.match(fast.log('b'), /^a failure$/m)
  const slow = await createWorld(t, { runners: 1 }).run(text('fail-fast: false,'))
  t.same(slow.results, { 'a (1)': 'success', 'a (2)': 'failure', 'a (3)': 'success', b: 'success' })
  t.equal(slow.conclusion, 'failure')
})

t.test('a run that cannot start says why', async (t) => {
  const world = createWorld(t)
  const bad = await world.run('jobs: { a: { runs-on: x, steps: [{ run: "${{ nope() }}" }] } }')
  t.same([bad.conclusion, bad.results], ['startup_failure', {}])
  t.match(world.runs.at(-1), { conclusion: 'startup_failure', problem: /jobs\.a\.steps\[0\]\.run: nope\(\) is not/ })
  const table = [
    ['strategy: { matrix: { n: [] } }', /matrix vector 'n' does not contain any values/],
    ['strategy: { matrix: { include: [] } }', /matrix must define at least one vector/],
    [`strategy: { matrix: "\${{ fromJSON('{}') }}" }`, /matrix must define at least one vector/],
    ['strategy: { matrix: "${{ fromJSON(\'oops\') }}" }', /fromJSON: "oops" is not JSON/],
    [
      `strategy: { matrix: { a: [${Array(17).fill(1)}], b: [${Array(16).fill(1)}] } }`,
      /makes 272 jobs, above the limit of 256/,
    ],
  ] as const
  for (const [strategy, message] of table) {
    const run = await world.run(`jobs: { a: { runs-on: x, ${strategy}, steps: [{ run: echo no }] } }`)
    t.same([run.conclusion, run.results], ['failure', { a: 'failure' }], strategy)
    t.match(run.log('a'), message)
  }
  const action = await world.run(
    'jobs: { a: { runs-on: x, steps: [{ run: echo first }, { uses: ./.github/actions/svc }] } }',
  )
  t.equal(action.conclusion, 'failure')
  t.match(action.log('a'), /unable to resolve action '\.\/\.github\/actions\/svc'/)
  t.notMatch(action.log('a'), /first/)
})

t.test('a timeout fails a step and cancels a job', async (t) => {
  const world = createWorld(t)
  const run = await world.run(`
jobs:
  step: { runs-on: x, steps: [{ run: sleep 20, timeout-minutes: 0.002 }, { if: failure(), run: echo step was late }] }
  job: { runs-on: x, timeout-minutes: 0.003, steps: [{ run: sleep 20 }, { if: always(), run: echo job was late }] }
`)
  t.same(run.results, { step: 'failure', job: 'cancelled' })
  t.match(run.log('step'), /timed out after 0\.002 minutes[\s\S]*^step was late$/m)
  t.match(run.log('job'), /exceeded the maximum execution time of 0\.003 minutes[\s\S]*^job was late$/m)
})
