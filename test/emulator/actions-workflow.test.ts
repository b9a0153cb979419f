// biome-ignore-all lint/suspicious/noTemplateCurlyInString: workflow files write expressions that way
import { chmodSync, readFileSync } from 'node:fs'
import t from 'tap'
import { parseAssignments } from '#emulator/actions/command-files.ts'
import { displayName, expandMatrix } from '#emulator/actions/workflow/matrix.ts'
import { parseWorkflow, type WorkflowError } from '#emulator/actions/workflow/parse.ts'
import { createWorld } from './actions-host.ts'

const file = (over: { on?: string; top?: string; job?: string; step?: string } = {}) => `
on: ${over.on ?? 'pull_request'}
${over.top ?? ''}
jobs:
  a: { runs-on: x, ${over.job ? `${over.job},` : ''} steps: [{ ${over.step ?? 'run: echo'} }] }
`

t.test('what a file leaves out is filled in', (t) => {
  const { on, jobs, ...rest } = parseWorkflow(
    file({ on: '[pull_request, workflow_dispatch]', top: 'env: { A: 1, B: true, C: }' }),
  )
  t.same(on, { pull_request: { types: ['opened', 'synchronize', 'reopened'] }, workflow_dispatch: { inputs: {} } })
  t.same(rest, { env: { A: '1', B: 'true', C: '' } })
  t.same(jobs.a, {
    needs: [],
    'runs-on': ['x'],
    outputs: {},
    env: {},
    'timeout-minutes': 360,
    steps: [{ run: 'echo', 'continue-on-error': false }],
  })
  t.same(parseWorkflow(file({ on: '{ pull_request: { types: [opened] } }' })).on, {
    pull_request: { types: ['opened'] },
  })
  t.same(parseWorkflow(file({ top: 'concurrency: one' })).concurrency, { group: 'one', 'cancel-in-progress': false })
  t.same(parseWorkflow(file({ job: 'environment: prod' })).jobs.a?.environment, { name: 'prod' })
  t.end()
})

t.test('a file that cannot run says what is wrong, and where', (t) => {
  const table = [
    [file({ on: 'push' }), "on: 'push' is not supported by this emulator"],
    [file({ on: '{ pull_request: { paths: [a] } }' }), "on.pull_request: 'paths' is not supported"],
    [file({ on: '{ workflow_dispatch: { inputs: { 1st: } } }' }), 'on.workflow_dispatch.inputs.1st'],
    [file({ top: 'permissions: all' }), 'permissions: '],
    [file({ top: 'concurrency: { cancel-in-progress: true }' }), 'concurrency.group'],
    [
      file({ top: 'run-name: ${{ matrix.a }}' }),
      'run-name: the context matrix is not available here (github, inputs, vars are)',
    ],
    [file({ top: 'env: { A: "${{ needs.a }}" }' }), 'env.A: the context needs'],
    [file({ job: 'container: node' }), "jobs.a: 'container' is not supported"],
    [file({ job: 'if: matrix.a' }), 'jobs.a.if: the context matrix'],
    [file({ job: 'if: env.A' }), 'jobs.a.if: the context env'],
    [file({ job: 'env: { A: "${{ env.B }}" }' }), 'jobs.a.env.A: the context env'],
    [
      file({ job: 'strategy: { matrix: { n: ["${{ matrix.n }}"] } }' }),
      'jobs.a.strategy.matrix.n[0]: the context matrix',
    ],
    [file({ job: 'name: "${{ success() }}"' }), 'jobs.a.name: success() may be used in an if only'],
    [file({ job: 'needs: b' }), "jobs.a.needs: there is no job 'b'"],
    [file({ job: 'needs: a' }), 'jobs: a need each other in a circle'],
    [file({ job: 'timeout-minutes: -1' }), 'jobs.a.timeout-minutes'],
    [file({ step: 'name: x' }), 'jobs.a.steps[0]: needs one of run and uses'],
    [file({ step: 'run: x, uses: y' }), 'jobs.a.steps[0]: needs one of run and uses'],
    [file({ step: 'run: x, if: secrets.A' }), 'jobs.a.steps[0].if: the context secrets'],
    [file({ step: 'run: "${{ hashFiles(\'x\') }}"' }), 'hashFiles() is not a function this emulator knows'],
    [file({ step: 'run: "${{ contains(\'x\') }}"' }), 'contains() takes 2 arguments, not 1'],
    [file({ step: 'run: "${{ github.ref"' }), 'jobs.a.steps[0].run: no closing }}'],
    [file({ step: 'run: x, if: "${{ true }} && true"' }), 'jobs.a.steps[0].if: text around the braces'],
    [file({ step: 'run: x, id: 1st' }), 'jobs.a.steps[0].id: must begin with a letter'],
    [file({ step: 'run: x, id: s }, { run: y, id: S' }), "jobs.a.steps: two steps have the id 'S'"],
    ['on: pull_request', 'jobs: '],
    ['on: pull_request\njobs: {}', 'jobs: needs at least one job'],
    ['', 'the file: '],
    ['on: [\njobs: }', 'at line'],
    ['on: pull_request\non: push', 'unique'],
  ] as const
  const problemsOf = (text: string): readonly string[] => {
    try {
      parseWorkflow(text, 'w.yml')
      return []
    } catch (error) {
      return (error as WorkflowError).problems
    }
  }
  for (const [text, message] of table)
    t.ok(
      problemsOf(text).some((problem) => problem.includes(message)),
      `${message} in ${problemsOf(text)}`,
    )
  const two = file({ job: 'if: matrix.a', step: 'run: "${{ nope }}"' })
  t.match(problemsOf(two), [/jobs\.a\.if/, /jobs\.a\.steps\[0\]\.run/], 'all problems at once')
  t.throws(() => parseWorkflow(two, 'w.yml'), { name: 'WorkflowError', message: /^w\.yml: jobs\.a\.if/ })
  t.end()
})

t.test('a matrix is the product of its lists, and includes join what they fit', (t) => {
  const expand = (matrix: Parameters<typeof expandMatrix>[0]) =>
    expandMatrix(matrix, { contexts: { inputs: { list: '["x","y"]', whole: '{"n":[1],"include":[{"m":2}]}' } } })
  const table = [
    [
      { a: [1, 2], b: ['x', 'y'] },
      [
        { a: 1, b: 'x' },
        { a: 1, b: 'y' },
        { a: 2, b: 'x' },
        { a: 2, b: 'y' },
      ],
    ],
    [{ a: '${{ fromJSON(inputs.list) }}' }, [{ a: 'x' }, { a: 'y' }]],
    ['${{ fromJSON(inputs.whole) }}', [{ n: 1, m: 2 }]],
    [{ include: [{ a: 1 }, { a: 1, b: 2 }] }, [{ a: 1 }, { a: 1, b: 2 }]],
    // The example of GitHub's page on include, rule by rule.
    [
      {
        fruit: ['apple', 'pear'],
        animal: ['cat', 'dog'],
        include: [
          { color: 'green' },
          { color: 'pink', animal: 'cat' },
          { fruit: 'apple', shape: 'circle' },
          { fruit: 'banana' },
          { fruit: 'banana', animal: 'cat' },
        ],
      },
      [
        { fruit: 'apple', animal: 'cat', color: 'pink', shape: 'circle' },
        { fruit: 'apple', animal: 'dog', color: 'green', shape: 'circle' },
        { fruit: 'pear', animal: 'cat', color: 'pink' },
        { fruit: 'pear', animal: 'dog', color: 'green' },
        { fruit: 'banana' },
        { fruit: 'banana', animal: 'cat' },
      ],
    ],
  ] as const
  for (const [matrix, expected] of table)
    t.same(
      expand(matrix as unknown as Parameters<typeof expandMatrix>[0]).map(({ values }) => values),
      expected,
    )
  t.equal(expand({ a: Array(256).fill(1) }).length, 256)
  t.throws(() => expand({ a: Array(257).fill(1) }), { message: /257 jobs, above the limit of 256/ })
  t.throws(() => expand({ a: 'x' }), { message: /'a' must be a list/ })
  t.throws(() => expand({ exclude: [] }), { message: /exclude is not supported/ })
  t.throws(() => expand({ include: [1] }), { message: /include\[0\] must be a map/ })
  t.throws(() => expand('x'), { message: /must be a map of lists, not 'x'/ })
  t.end()
})

t.test('a job of a matrix is named after its values', (t) => {
  const label = (matrix: Parameters<typeof expandMatrix>[0]) => expandMatrix(matrix, { contexts: {} })[0]?.label ?? []
  t.equal(
    displayName('plan', undefined, label({ include: [{ stack: 'a/b', environment: 'prod' }] })),
    'plan (a/b, prod)',
  )
  t.equal(displayName('plan', undefined, label({ n: [{ os: 'x', v: [1, true] }], e: [''] })), 'plan (x, 1, true)')
  t.equal(displayName('Plan it', 'Plan it', ['a']), 'Plan it (a)')
  t.equal(displayName('plan a', 'plan ${{ matrix.a }}', ['a']), 'plan a')
  t.equal(displayName('plan', undefined, []), 'plan')
  t.equal(displayName('plan', undefined, ['x'.repeat(200)]), `plan (${'x'.repeat(91)}...`)
  t.end()
})

t.test('the files a step writes to have two forms', (t) => {
  const table = [
    ['', {}],
    ['a=1\nb=\n', { a: '1', b: '' }],
    ['a=x=y<<z', { a: 'x=y<<z' }],
    ['a<<E=1\nx\nE=1\n', { a: 'x' }],
    ['a<<END\n1\n\n2\nEND\nb=3\r\n', { a: '1\n\n2', b: '3' }],
    ['a<<END\nEND', { a: '' }],
    ['a=1\na=2', { a: '2' }],
    ['__proto__=x', Object.fromEntries([['__proto__', 'x']])],
  ] as const
  for (const [text, expected] of table) t.same(parseAssignments(text), expected, JSON.stringify(text))
  for (const text of ['a', '=1', 'a<<END\nb', 'a<<', '<<E\nE']) t.throws(() => parseAssignments(text), text)
  t.end()
})

const shipped = (name: string) => readFileSync(new URL(`../../src/runner/workflows/${name}`, import.meta.url), 'utf8')

t.test('the shipped workflows keep their promises', (t) => {
  const plan = parseWorkflow(shipped('svc-plan.yml'), 'svc-plan.yml')
  t.same(plan.on, { pull_request: { types: ['opened', 'synchronize', 'reopened'] } })
  t.same(plan.permissions, { contents: 'read', 'id-token': 'write' })
  t.match(plan.concurrency, { 'cancel-in-progress': true })
  const run = parseWorkflow(shipped('svc-run.yml'), 'svc-run.yml')
  t.same(Object.keys(run.on.workflow_dispatch?.inputs ?? {}), ['run_id', 'mode', 'wave', 'sha', 'stacks'])
  t.equal(run.concurrency, undefined, 'a group would drop waves')
  t.same(run.permissions, { contents: 'read', 'id-token': 'write', actions: 'read' })
  for (const { jobs } of [plan, run])
    for (const [id, job] of Object.entries(jobs))
      for (const step of job.steps) t.notMatch(step.run ?? '', /\$\{\{/, `nothing is pasted into a script of ${id}`)
  t.end()
})

/** Stands in for the client: writes down how it was called, and answers as told by the stack. */
const client = `#!/bin/bash
key=$(sed -n 's/.*"key": "\\([^"]*\\)".*/\\1/p' <<< "$SVC_MATRIX")
echo "called: $* run=$SVC_RUN_ID stack=$SVC_STACK$key url=$SVC_URL env=$SVC_MODE"
changes() { [[ "$*" == *--changes-ok* ]]; exit $(( $? * 2 )); }
case "$1" in
  resolve)
    git rev-parse HEAD origin/main > /dev/null || exit 1
    { echo run_id=r-1; echo "any=$ANY"; echo 'matrix={"include":[{"key":"aws/ok"},{"key":"aws/bad"}]}'; } >> "$GITHUB_OUTPUT"
    [ "$ANY" = true ] && changes "$@"; exit 0 ;;
  plan)
    [ "$key" = aws/bad ] && exit 1
    echo saved > "$RUNNER_TEMP/plan.bin"
    { echo artifact=svc-plan-aws--ok; echo "plan_file=$RUNNER_TEMP/plan.bin"; } >> "$GITHUB_OUTPUT"
    changes "$@" ;;
  run) changes "$@" ;;
esac
`

t.test('the shipped workflows run in the right order, and changes are no failure', async (t) => {
  const bin = t.testdir({ svc: client })
  chmodSync(`${bin}/svc`, 0o755)
  const pull = (fullName: string, head: string) => ({
    pull_request: { number: 7, head: { sha: head, repo: { full_name: fullName } } },
  })
  await t.test('plan', async (t) => {
    const world = createWorld(t, { path: [bin], env: { ANY: 'true' } })
    const over = { workflowText: shipped('svc-plan.yml'), vars: { SVC_URL: 'http://svc.example' } }
    const run = await world.run('', { ...over, payload: pull('octo/infra', world.commits.head) })
    t.same(run.results, { resolve: 'success', 'plan aws/ok': 'success', 'plan aws/bad': 'failure' })
    const calls = (name: string) => run.log(name).match(/^called: .*$/gm)
    t.same(calls('resolve'), ['called: resolve --changes-ok run= stack= url=http://svc.example env='])
    t.same(calls('plan aws/ok'), [
      'called: plan --hold --changes-ok run=r-1 stack=aws/ok url=http://svc.example env=',
      'called: report run=r-1 stack=aws/ok url=http://svc.example env=',
    ])
    t.match(run.log('plan aws/ok'), /^artifact svc-plan-aws--ok: 1 files$/m)
    t.match(run.log('plan aws/bad'), /^called: report .* stack=aws\/bad/m, 'a failed plan is reported too')
    const fork = await world.run('', { ...over, payload: pull('mallory/infra', world.commits.head) })
    t.same([fork.conclusion, fork.results], ['skipped', { resolve: 'skipped', 'plan ${{ matrix.key }}': 'skipped' }])
    const none = createWorld(t, { path: [bin], env: { ANY: 'false' } })
    const idle = await none.run('', { ...over, payload: pull('octo/infra', world.commits.head) })
    t.same([idle.conclusion, idle.results.resolve], ['success', 'success'])
  })
  await t.test('run', async (t) => {
    const environments: (string | undefined)[] = []
    const world = createWorld(t, {
      path: [bin],
      tokenRequest: (job) => {
        environments.push(job.environment)
        return { url: 'http://127.0.0.1/x?y', token: 'token' }
      },
    })
    const stacks =
      '{"include":[{"stack":"aws/ok","key":"aws/ok","environment":"prod"},{"stack":"aws/b","key":"aws/b","environment":"default"}]}'
    const run = await world.run('', {
      workflowText: shipped('svc-run.yml'),
      event: 'workflow_dispatch',
      ref: 'refs/heads/main',
      sha: world.commits.main,
      inputs: { run_id: 'r-2', mode: 'apply', wave: '1', sha: world.commits.head, stacks },
    })
    t.same(run.results, { 'apply aws/ok': 'success', 'apply aws/b': 'success' })
    t.match(run.log('apply aws/ok'), /^called: run --hold-plan --changes-ok run=r-2 stack=aws\/ok url= env=apply$/m)
    t.match(world.runs[0], { displayTitle: `svc apply r-2 wave 1 ${world.commits.head}` })
    t.same(environments.sort(), ['default', 'prod'])
  })
})
