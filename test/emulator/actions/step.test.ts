// biome-ignore-all lint/suspicious/noTemplateCurlyInString: workflow files write expressions that way
import t from 'tap'
import { inheritedVariables } from '#emulator/actions/contexts.ts'
import { createWorld, job } from './actions-host.ts'

t.test('a step finds the variables that GitHub gives it, and none of ours', async (t) => {
  process.env.SVC_TEST_SECRET = 'ours'
  process.env.TF_PLUGIN_CACHE_DIR = '/plugins'
  const world = createWorld(t, { env: { FROM_HOST: 'host', LEVEL: 'host' }, path: ['/opt/svc/bin'] })
  const run = await world.run(job('- run: env\n- run: cat "$GITHUB_EVENT_PATH"'))
  const { head, merge } = world.commits
  const env = Object.fromEntries(
    run
      .log('a')
      .split('\n')
      .filter((line) => /^\w+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  t.match(env, {
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTOR: 'mona',
    GITHUB_API_URL: 'http://127.0.0.1:4000/api/v3',
    GITHUB_BASE_REF: 'main',
    GITHUB_EVENT_NAME: 'pull_request',
    GITHUB_HEAD_REF: 'topic',
    GITHUB_JOB: 'a',
    GITHUB_REF: 'refs/pull/7/merge',
    GITHUB_REF_NAME: '7/merge',
    GITHUB_REPOSITORY: 'octo/infra',
    GITHUB_REPOSITORY_ID: '42',
    GITHUB_REPOSITORY_OWNER: 'octo',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_RUN_ID: String(run.id),
    GITHUB_RUN_NUMBER: '3',
    GITHUB_SERVER_URL: 'http://127.0.0.1:4000',
    GITHUB_SHA: merge,
    GITHUB_WORKFLOW_REF: 'octo/infra/.github/workflows/test.yml@refs/pull/7/merge',
    GITHUB_WORKSPACE: /\/infra\/infra$/,
    PWD: env.GITHUB_WORKSPACE,
    RUNNER_OS: 'Linux',
    RUNNER_TEMP: /_temp$/,
    TF_PLUGIN_CACHE_DIR: '/plugins',
    FROM_HOST: 'host',
    PATH: /^\/opt\/svc\/bin:/,
  })
  t.same(
    Object.keys(env).filter((name) => /^(NODE_(ENV|OPTIONS)|_?TAP|SVC_|npm_|ACTIONS_ID)/.test(name)),
    [],
  )
  const own = {
    PATH: '/bin',
    NODE_OPTIONS: '--import x',
    _TAPJS_X: '1',
    TAP: '1',
    TF_LOG: 'info',
    LC_ALL: 'C',
    AWS_KEY: 'x',
  }
  t.same(inheritedVariables(own), { PATH: '/bin', TF_LOG: 'info', LC_ALL: 'C' })
  t.match(run.log('a'), new RegExp(`^\\{"number":7.*"sha":"${head}"`, 'm'))
})

t.test('env, shell and directory: the nearest one wins', async (t) => {
  const run = await createWorld(t, { env: { LEVEL: 'host' } }).run(`
env: { LEVEL: workflow, ONLY: workflow, SHA: "\${{ github.sha }}" }
defaults: { run: { shell: sh, working-directory: sub } }
jobs:
  a:
    runs-on: x
    env: { LEVEL: job, DERIVED: "\${{ vars.REGION }}-\${{ secrets.none }}", GITHUB_JOB: forged }
    defaults: { run: { shell: bash } }
    steps:
      - { run: "mkdir -p sub; echo 1 $LEVEL $ONLY $DERIVED $GITHUB_JOB", working-directory: . }
      - { run: 'echo "2 $LEVEL \${{ env.LEVEL }} $(basename "$PWD")"', env: { LEVEL: step } }
      - { run: 'echo "3 $LEVEL"', if: "env.LEVEL == 'step'", env: { LEVEL: step } }
      - { run: 'echo "4 $0 $-"', shell: sh }
      - { run: 'echo "5 $(shopt -po pipefail)"' }
      - { run: echo no, working-directory: none }
`)
  t.equal(run.conclusion, 'failure')
  t.match(run.log('a'), /^1 job workflow - a$/m)
  t.match(run.log('a'), /^2 step step sub$/m)
  t.match(run.log('a'), /^3 step$/m)
  t.match(run.log('a'), /^4 \S+script\.sh e/m)
  t.match(run.log('a'), /^5 set -o pipefail$/m)
  t.match(run.log('a'), /##\[error\]working-directory '.*\/none' does not exist/)
})

t.test('only naming a shell brings pipefail', async (t) => {
  const run = await createWorld(t).run(
    job(
      `
- run: "false | cat; echo plain"
- { run: "false | cat; echo named", shell: bash }
`.trim(),
    ),
  )
  t.match(run.log('a'), /^plain$/m)
  t.notMatch(run.log('a'), /^named$/m)
  t.equal(run.conclusion, 'failure')
})

t.test('values that a step writes to its files reach the next ones', async (t) => {
  const run = await createWorld(t).run(
    job(
      `
- id: first
  run: |
    echo 'one=1 = 1' >> "$GITHUB_OUTPUT"
    printf 'many<<END\\nline 1\\n\\nline=2\\nEND\\n' >> "$GITHUB_OUTPUT"
    echo 'GREETING=hello' >> "$GITHUB_ENV"
    mkdir bin && printf '#!/bin/sh\\necho greeted' > bin/greet && chmod +x bin/greet
    echo "$PWD/bin" >> "$GITHUB_PATH"
    echo '# Summary' >> "$GITHUB_STEP_SUMMARY"
- run: |
    echo "[\${{ steps.first.outputs.one }}] $GREETING \${{ env.GREETING }} $(greet)"
    echo '\${{ toJSON(steps.first) }}'
- { id: fails, continue-on-error: true, run: 'echo kept=yes >> "$GITHUB_OUTPUT"; exit 1' }
- { run: 'echo "kept \${{ steps.fails.outputs.kept }}"' }
- { continue-on-error: true, run: 'echo nonsense >> "$GITHUB_OUTPUT"' }
- { continue-on-error: true, run: 'echo "x<<END" >> "$GITHUB_OUTPUT"' }
- { continue-on-error: true, run: 'echo "NODE_OPTIONS=--inspect" >> "$GITHUB_ENV"' }
`.trim(),
    ),
  )
  const log = run.log('a')
  t.equal(run.conclusion, 'success')
  t.match(log, /^\[1 = 1\] hello hello greeted$/m)
  t.match(log, /"many": "line 1\\n\\nline=2"/)
  t.match(log, /^kept yes$/m)
  t.match(log, /##\[error\]reading GITHUB_OUTPUT: invalid format 'nonsense'/)
  t.match(log, /##\[error\]reading GITHUB_OUTPUT: no closing delimiter 'END' for 'x'/)
  t.match(log, /##\[error\]reading GITHUB_ENV: NODE_OPTIONS cannot be set/)
})

t.test('masked values never reach log or outputs', async (t) => {
  const world = createWorld(t)
  const run = await world.run(
    job(
      `
- id: s
  run: |
    password=$(echo 2retnuh | rev)
    echo "::add-mask::$password"
    echo "::add-mask::$password-and-more"
    echo "the password $password and $password-and-more"
    printf hun; echo "ter2 in two pieces"
    echo "secret=x\${password}x" >> "$GITHUB_OUTPUT"
    echo 'open=fine' >> "$GITHUB_OUTPUT"
- run: |
    echo "::group::Planning"
    echo "::error file=a.tf,line=3::broken%0Aindeed"
    echo "::warning::careful"
    echo "::endgroup::"
    echo "::stop-commands::token-1"
    echo "::error::not a command"
    echo "::token-1::"
    echo "::notice::again"
    echo "::debug::unseen"
    echo "\${{ secrets.DEPLOY }}" "s3cret" >&2
    echo "::stop-commands::token-2"
- run: echo '::warning::a new step starts afresh'
`.trim(),
      '    outputs: { secret: "${{ steps.s.outputs.secret }}", open: "${{ steps.s.outputs.open }}" }\n',
    ),
    { secrets: { DEPLOY: 's3cret' } },
  )
  const log = run.log('a')
  t.notMatch(log, /hunter2|s3cret/)
  t.match(log, /^the password \*\*\* and \*\*\*$/m)
  t.match(log, /^\*\*\* in two pieces$/m)
  t.match(log, /^##\[group\]Planning\n##\[error\]broken\nindeed\n##\[warning\]careful\n##\[endgroup\]$/m)
  t.match(log, /^::stop-commands::token-1\n::error::not a command\n::token-1::\n##\[notice\]again$/m)
  t.match(log, /^\*\*\* \*\*\*$/m, 'the other output is masked too')
  t.match(log, /^##\[warning\]a new step starts afresh$/m)
  t.match(log, /Skip output 'secret'/)
  t.notMatch(log, /unseen$/m)
  t.equal(world.logs.get(world.jobs(run.id)[0]!.id), log, 'the reported log is the kept log')
})

t.test('a job may ask for an OIDC token only with the permission for it', async (t) => {
  const write = '{ id-token: write, contents: read }'
  const table = [
    // workflow's permissions, job's permissions, granted
    [undefined, undefined, false],
    [write, undefined, true],
    [undefined, write, true],
    [write, '{ contents: read }', false],
    ['{ id-token: read }', undefined, false],
    ['write-all', undefined, true],
    ['read-all', undefined, false],
    ['read-all', write, true],
  ] as const
  const world = createWorld(t)
  const asked: unknown[] = []
  const steps =
    'environment: Prod\n    steps: [{ run: \'echo "<$ACTIONS_ID_TOKEN_REQUEST_URL> $ACTIONS_ID_TOKEN_REQUEST_TOKEN"\' }]'
  for (const [ofWorkflow, ofJob, isGranted] of table) {
    const run = await world.run(`
${ofWorkflow ? `permissions: ${ofWorkflow}` : ''}
jobs:
  a:
    runs-on: x
    ${ofJob ? `permissions: ${ofJob}` : ''}
    ${steps}
`)
    const id = world.jobs(run.id)[0]?.id
    const expected = isGranted ? `<http://127.0.0.1:4000/oidc?job=${id}> ***` : '<> '
    t.ok(run.log('a').includes(`\n${expected}\n`), `${ofWorkflow} with ${ofJob}`)
  }
  const fork = createWorld(t, {
    tokenRequest: (job) => {
      asked.push(job)
      return undefined
    },
  })
  const run = await fork.run(`permissions: ${write}\njobs:\n  a:\n    runs-on: x\n    ${steps}`)
  t.match(run.log('a'), /^<> $/m)
  t.same(asked, [{ id: fork.jobs(run.id)[0]?.id, runId: run.id, attempt: 1, environment: 'Prod' }])
})

t.test('inputs of a dispatch have their type and default', async (t) => {
  const world = createWorld(t)
  const run = await world.run('', {
    event: 'workflow_dispatch',
    inputs: { mode: 'apply', dry: 'true' },
    workflowText: `
on:
  workflow_dispatch:
    inputs:
      mode: { required: true, type: choice, options: [plan, apply] }
      wave: { default: 1, type: number }
      dry: { type: boolean }
      wet: { type: boolean }
      note:
run-name: svc \${{ inputs.mode }} wave \${{ inputs.wave }}
jobs:
  a:
    runs-on: x
    if: inputs.dry && !inputs.wet
    steps:
      - { run: 'echo "$MODE [\${{ inputs.note }}] \${{ inputs.wave == 1 }} \${{ github.event.inputs.mode }}"', env: { MODE: "\${{ inputs.mode }}" } }
`,
    payload: { inputs: { mode: 'apply', dry: 'true' } },
  })
  t.match(run.log('a'), /^apply \[\] true apply$/m)
  t.match(world.runs, [{ displayTitle: 'svc apply wave 1' }, {}, { conclusion: 'success' }])
})
