import t from 'tap'
import { createActionsEngine } from '#emulator/actions/engine.ts'
import { until } from '#test/helpers/until.ts'
import { asInstallation, hubFor } from '../hub.ts'

/* Dispatched runs in the real engine: environments that wait, runners that die, jobs that are run again. */

const workflow = `
name: svc run
run-name: "svc \${{ inputs.mode }} \${{ github.ref_name }}"
on:
  workflow_dispatch:
    inputs: { mode: { required: true }, stacks: { required: true } }
permissions: { id-token: write }
jobs:
  stack:
    strategy: { fail-fast: false, matrix: "\${{ fromJSON(inputs.stacks) }}" }
    environment: \${{ matrix.environment }}
    runs-on: ubuntu-latest
    name: \${{ matrix.stack }}
    outputs: { said: "\${{ steps.say.outputs.said }}" }
    steps:
      - id: say
        run: |
          echo "token url \${ACTIONS_ID_TOKEN_REQUEST_URL:-none}"
          echo "said=\${{ matrix.stack }} \${GITHUB_RUN_ATTEMPT}" >> "$GITHUB_OUTPUT"
          echo "working on \${{ matrix.stack }}"
          \${{ matrix.does }}
      - if: always()
        run: echo "reported after $GITHUB_RUN_ATTEMPT"
  after:
    if: always()
    needs: stack
    runs-on: ubuntu-latest
    steps: [{ run: "echo 'last said \${{ needs.stack.outputs.said }}, \${{ needs.stack.result }}'" }]
`

type Stack = { stack: string; environment: string; does: string }

const prepare = async (t: Parameters<typeof hubFor>[0]) => {
  const hub = await hubFor(t, {
    actions: (host) => createActionsEngine(host, { grace: { interruptMs: 200, terminateMs: 200 } }),
  })
  const { id } = hub.createInstallation({ account: 'acme', type: 'Organization' })
  const repository = await hub.createRepository({
    owner: 'acme',
    name: 'infra',
    files: { '.github/workflows/svc-run.yml': workflow },
  })
  const app = await asInstallation(hub, id)
  const dispatch = async (...include: Stack[]) => {
    const inputs = { mode: 'apply', stacks: JSON.stringify({ include }) }
    const path = '/repos/acme/infra/actions/workflows/svc-run.yml/dispatches'
    const { body } = await app('POST', path, { ref: 'main', inputs, return_run_details: true })
    return hub.workflowRun((body as { workflow_run_id: number }).workflow_run_id)
  }
  return { hub, repository, app, dispatch }
}

const stack = (name: string, more: Partial<Stack> = {}): Stack => ({
  stack: name,
  environment: 'default',
  does: 'true',
  ...more,
})

t.test('a protected environment holds its jobs back, the others run', async (t) => {
  const { hub, repository, dispatch } = await prepare(t)
  repository.environment('prod', { reviewers: ['ann'] })
  const run = await dispatch(stack('free'), stack('a', { environment: 'prod' }), stack('b', { environment: 'prod' }))
  t.equal(run.now().displayTitle, 'svc apply main')
  await until(() => run.now().status === 'waiting')
  const status = () => Object.fromEntries(run.jobs().map((job) => [job.name, job.conclusion ?? job.status]))
  t.strictSame(status(), { free: 'success', a: 'waiting', b: 'waiting' })
  t.throws(() => run.play(), /run by the engine already/)
  run.approve('prod', 'ann')
  await hub.actionsSettled()
  t.strictSame(status(), { free: 'success', a: 'success', b: 'success', after: 'success' })
  t.equal(run.now().conclusion, 'success')
})

t.test('a refused environment fails its job, a cancelled wait cancels it', async (t) => {
  const { hub, repository, dispatch } = await prepare(t)
  repository.environment('prod', { reviewers: ['ann'] })
  const [refused, cancelled] = [
    await dispatch(stack('a', { environment: 'prod' })),
    await dispatch(stack('a', { environment: 'prod' })),
  ]
  await until(() => refused.now().status === 'waiting' && cancelled.now().status === 'waiting')
  refused.reject('prod', 'ann')
  cancelled.cancel()
  await hub.actionsSettled()
  t.match([refused.now(), cancelled.now()], [{ conclusion: 'failure' }, { conclusion: 'cancelled' }])
  t.match(refused.jobs()[0], { conclusion: 'failure', startedAt: null })
})

t.test('a killed runner: no step reports, the job fails, the run goes on', async (t) => {
  const { hub, dispatch } = await prepare(t)
  const fault = hub.faults.add({ kind: 'runner', job: 'dies', logged: /^working on/m, failsAfterMs: 0, times: 1 })
  const run = await dispatch(stack('dies', { does: "trap 'echo caught' INT TERM; sleep 600" }), stack('lives'))
  await hub.actionsSettled()
  t.equal(fault.struck(), 1)
  const [dies, lives, after] = run.jobs()
  t.match(dies, { name: 'dies', conclusion: 'failure', steps: [{ conclusion: 'success' }, { status: 'in_progress' }] })
  t.notMatch(dies?.log, /^caught|^reported after|canceled/m)
  t.match(lives, { conclusion: 'success', log: /reported after 1/ })
  t.match(after, { conclusion: 'success', log: /failure/ })
  t.equal(run.now().conclusion, 'failure')
})

t.test('a lost runner is noticed only later', async (t) => {
  const { hub, dispatch } = await prepare(t)
  const run = await dispatch(stack('lost', { does: 'sleep 600' }))
  await until(() => /^working on/m.test(run.jobs()[0]?.log ?? ''))
  t.equal(run.killRunner(run.jobs()[0]!.id, 150), true)
  const started = performance.now()
  t.match(run.jobs(), [{ status: 'in_progress' }])
  await hub.actionsSettled()
  t.ok(performance.now() - started >= 140)
  t.match(run.jobs()[0], { conclusion: 'failure' })
  t.equal(run.killRunner(run.jobs()[0]!.id), false, 'nothing is left to kill')
})

t.test('re-running failed jobs keeps the good ones and their outputs', async (t) => {
  const { hub, dispatch } = await prepare(t)
  const run = await dispatch(stack('good'), stack('bad', { does: 'test "$GITHUB_RUN_ATTEMPT" = 2' }))
  await hub.actionsSettled()
  t.match(run.now(), { attempt: 1, conclusion: 'failure' })
  const [good] = run.jobs()
  run.rerunFailed()
  await hub.actionsSettled()
  t.match(run.now(), { attempt: 2, conclusion: 'success', id: run.id })
  const byName = Object.fromEntries(run.jobs().map((job) => [job.name, job]))
  t.equal(byName.good?.id, good?.id, 'was not run again')
  t.match(byName.bad, { attempt: 2, conclusion: 'success', log: /reported after 2/ })
  run.rerun()
  await hub.actionsSettled()
  t.match(run.now(), { attempt: 3, conclusion: 'failure' }, 'as the third attempt fails by its own test')
  t.ok(run.jobs().every(({ attempt }) => attempt === 3))
})

t.test('a run that is never picked up can be played, or cancelled', async (t) => {
  const { hub, dispatch } = await prepare(t)
  hub.faults.add({ kind: 'workflow', effect: 'never-picked-up', times: 2 })
  const [played, cancelled] = [await dispatch(stack('a')), await dispatch(stack('a'))]
  await hub.actionsSettled()
  t.match([played.now(), cancelled.now()], [{ status: 'queued' }, { status: 'queued' }])
  cancelled.cancel()
  t.equal(cancelled.now().conclusion, 'cancelled')
  const run = played.play()
  run.job('a').complete('success')
  run.complete('success')
  t.equal(played.now().conclusion, 'success')
})

t.test('a fork’s workflow gets no token and no secret', async (t) => {
  const { hub } = await prepare(t)
  const text = `
on: pull_request
permissions: { id-token: write }
jobs:
  plan:
    runs-on: ubuntu-latest
    steps: [{ run: "echo \\"url=\${ACTIONS_ID_TOKEN_REQUEST_URL:-none} secret=\${{ secrets.KEY }}.\\"" }]
`
  const files = { '.github/workflows/plan.yml': text }
  await hub.createRepository({ owner: 'acme', name: 'forked', files, secrets: { KEY: 'hush-hush' } })
  const options = { repo: 'acme/forked', title: 'F', changes: { 'a.tf': 'a\n' } }
  const own = await hub.openPullRequest({ ...options, branch: 'own', author: 'ann' })
  const theirs = await hub.openPullRequest({ ...options, branch: 'theirs', author: 'eve', fork: true })
  await hub.actionsSettled()
  const log = (pull: typeof own) => hub.jobs(pull.workflowRuns()[0]!.id)[0]?.log
  t.match(log(own), /url=http:.* secret=\*\*\*\./)
  t.match(log(theirs), /url=none secret=\./)
})
