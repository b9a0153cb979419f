import { decodeJwt } from 'jose'
import t from 'tap'
import { createActionsEngine } from '#emulator/actions/engine.ts'
import { receiverFor } from '#test/emulator/webhooks/receiver.ts'
import { until } from '#test/helpers/until.ts'
import { hubFor } from '../hub.ts'

/* Emulator and engine together: a pull request whose workflow really runs, with tokens, outputs and a matrix. */

const fetchToken = `
const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: token } = process.env
const answer = await fetch(url + '&audience=svc', { headers: { authorization: 'bearer ' + token } })
console.log('token=' + (await answer.json()).value)
`

const workflow = `
name: plan
on: { pull_request: { types: [opened, synchronize, reopened] } }
permissions: { id-token: write, contents: read }
concurrency: { group: "plan-\${{ github.event.number }}", cancel-in-progress: true }
jobs:
  resolve:
    runs-on: ubuntu-latest
    outputs: { matrix: "\${{ steps.r.outputs.matrix }}" }
    steps:
      - uses: actions/checkout@v4
        with: { ref: "\${{ github.event.pull_request.head.sha }}", fetch-depth: 0 }
      - id: r
        run: |
          "$NODE" token.mjs
          sh wait.sh
          echo 'matrix={"stack":["a","b"]}' >> "$GITHUB_OUTPUT"
  plan:
    needs: resolve
    strategy: { fail-fast: false, matrix: "\${{ fromJSON(needs.resolve.outputs.matrix) }}" }
    runs-on: ubuntu-latest
    steps:
      - run: test "\${{ matrix.stack }}" = a
`

t.test('a pull request’s workflow runs, and a newer push cancels the jobs still running', async (t) => {
  const hub = await hubFor(t, {
    actions: createActionsEngine,
    runner: { env: { NODE: process.execPath, NODE_OPTIONS: '' } },
  })
  const { url, received } = await receiverFor(t)
  hub.setWebhookUrl(url)
  hub.createInstallation({ account: 'acme', type: 'Organization' })
  await hub.createRepository({
    owner: 'acme',
    name: 'infra',
    files: { '.github/workflows/plan.yml': workflow, 'token.mjs': fetchToken, 'wait.sh': 'true\n' },
  })
  const pull = await hub.openPullRequest({
    repo: 'acme/infra',
    branch: 'f',
    title: 'F',
    author: 'ann',
    changes: { 'wait.sh': 'echo waiting; sleep 600\n' },
  })
  // The first head's job would go on for ten minutes: only the newer push ends it.
  const isWaiting = () => pull.workflowRuns().some(({ id }) => hub.jobs(id).some(({ log }) => log.includes('waiting')))
  await until(isWaiting)
  await pull.push({ 'wait.sh': 'true\n' })
  await hub.actionsSettled()
  await hub.deliveriesSettled()

  const [first, second] = pull.workflowRuns()
  t.match(first, { status: 'completed', conclusion: 'cancelled' })
  t.match(second, { status: 'completed', conclusion: 'failure' })
  const jobs = hub.jobs(second!.id)
  t.same(
    jobs.map(({ name, conclusion }) => `${name}: ${conclusion}`),
    ['resolve: success', 'plan (a): success', 'plan (b): failure'],
  )
  const claims = decodeJwt(/token=(\S+)/.exec(jobs[0]!.log)?.[1] ?? '')
  t.match(claims, { aud: 'svc', run_id: String(second!.id), sha: second!.sha, event_name: 'pull_request' })
  const ended = received.filter(({ event, payload }) => event === 'workflow_run' && payload.action === 'completed')
  t.equal(ended.length, 2)
})
