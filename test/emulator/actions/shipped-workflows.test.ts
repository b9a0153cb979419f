// biome-ignore-all lint/suspicious/noTemplateCurlyInString: workflow files write expressions that way
import { chmodSync, readFileSync } from 'node:fs'
import t from 'tap'
import { parseWorkflow } from '#emulator/actions/workflow/parse.ts'
import { createWorld } from './actions-host.ts'

const shipped = (name: string) =>
  readFileSync(new URL(`../../../src/runner/workflows/${name}`, import.meta.url), 'utf8')

t.test('the shipped workflows keep their promises', (t) => {
  const plan = parseWorkflow(shipped('svc-plan.yml'), 'svc-plan.yml')
  t.same(plan.on, { pull_request: { types: ['opened', 'synchronize', 'reopened'] }, merge_group: {} })
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

/** Stands in for the client: records its calls, and answers by stack. */
const client = `#!/bin/bash
key=$(sed -n 's/.*"key": "\\([^"]*\\)".*/\\1/p' <<< "$SVC_MATRIX")
echo "called: $* run=$SVC_RUN_ID stack=$SVC_STACK$key url=$SVC_URL env=$SVC_MODE"
changes() { [[ "$*" == *--changes-ok* ]]; exit $(( $? * 2 )); }
case "$1" in
  resolve)
    git rev-parse HEAD origin/main > /dev/null || exit 1
    { echo run_id=r-1; echo parallel=10; echo "any=$ANY"; echo 'matrix={"include":[{"key":"aws/ok"},{"key":"aws/bad"}]}'; } >> "$GITHUB_OUTPUT"
    [ "$ANY" = true ] && changes "$@"; exit 0 ;;
  plan)
    [ "$key" = aws/bad ] && exit 1
    echo saved > "$RUNNER_TEMP/plan.bin"
    { echo artifact=svc-plan-aws--ok; echo "plan_file=$RUNNER_TEMP/plan.bin"; } >> "$GITHUB_OUTPUT"
    changes "$@" ;;
  run) changes "$@" ;;
esac
`

t.test('the shipped workflows run in the right order, and changes are not a failure', async (t) => {
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
