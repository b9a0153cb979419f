// biome-ignore-all lint/suspicious/noTemplateCurlyInString: workflow files write expressions that way
import t from 'tap'
import { parseWorkflow, type WorkflowError } from '#emulator/actions/workflow/parse.ts'

const file = (over: { on?: string; top?: string; job?: string; step?: string } = {}) => `
on: ${over.on ?? 'pull_request'}
${over.top ?? ''}
jobs:
  a: { runs-on: x, ${over.job ? `${over.job},` : ''} steps: [{ ${over.step ?? 'run: echo'} }] }
`

t.test('missing keys of a file are filled in', (t) => {
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
    [file({ job: 'needs: a' }), 'jobs: a need each other in a cycle'],
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
