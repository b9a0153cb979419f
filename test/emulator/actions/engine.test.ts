// biome-ignore-all lint/suspicious/noTemplateCurlyInString: workflow files write expressions that way
import { decodeJwt } from 'jose'
import t from 'tap'
import { createActionsEngine } from '#emulator/actions/engine.ts'
import { startEmulator } from '#emulator/emulator.ts'

const workflow = `
name: proof
on: pull_request
permissions: { id-token: write }
concurrency: { group: "proof-\${{ github.event.pull_request.number }}", cancel-in-progress: true }
jobs:
  token:
    runs-on: ubuntu-latest
    environment: \${{ vars.PLACE }}
    env: { ASK: "\${{ vars.ASK }}" }
    steps:
      - uses: actions/checkout@v4
        with: { ref: "\${{ github.event.pull_request.head.sha }}", fetch-depth: 0 }
      - run: |
          git diff --name-only "$(git merge-base origin/main HEAD)" HEAD
          echo "token $(node --input-type=module -e "$ASK")"
          [ ! -e wait ] || while true; do sleep 0.05; done
`

/** How a step gets a token, from GitHub's page on OpenID Connect. */
const ask = `
const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: token } = process.env
const answer = await fetch(url + '&audience=svc', { headers: { authorization: 'bearer ' + token } })
console.log(JSON.stringify(await answer.json()))`

t.test('a pull request of the emulator runs its workflow, with a token of the emulator', async (t) => {
  const emulator = await startEmulator({
    dataDir: t.testdir({}),
    actions: (host) => createActionsEngine(host, { grace: { interruptMs: 300, terminateMs: 200 } }),
  })
  t.teardown(() => emulator.close())
  await emulator.createRepository({
    owner: 'octo',
    name: 'infra',
    files: { '.github/workflows/proof.yml': workflow, 'main.tf': '' },
    vars: { PLACE: 'prod', ASK: ask },
  })
  const pull = await emulator.openPullRequest({
    repo: 'octo/infra',
    branch: 'topic',
    title: 'Proof',
    author: 'mona',
    changes: { 'a.tf': 'x' },
  })
  await emulator.actionsSettled()
  const [run] = pull.workflowRuns()
  t.match(run, { status: 'completed', conclusion: 'success', problem: undefined })
  const log = emulator.jobs(run!.id)[0]!.log
  t.match(log, /^a\.tf$/m)
  const answer = JSON.parse(/^token (.+)$/m.exec(log)![1]!)
  t.match(decodeJwt(answer.value), {
    iss: emulator.issuer,
    aud: 'svc',
    environment: 'prod',
    run_id: String(run!.id),
    ref: `refs/pull/${pull.number}/merge`,
    job_workflow_ref: `octo/infra/.github/workflows/proof.yml@refs/pull/${pull.number}/merge`,
  })
  await pull.push({ wait: '' })
  await pull.push({ wait: null })
  await emulator.actionsSettled()
  t.same(
    pull.workflowRuns().map(({ conclusion }) => conclusion),
    ['success', 'cancelled', 'success'],
  )
})
