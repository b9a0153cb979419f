import t from 'tap'
import { repo, scriptedGitHub } from './scripted-github.ts'

const dispatches = 'POST /repos/octo/infra/actions/workflows/svc-run.yml/dispatches'
const order = { workflow: 'svc-run.yml', ref: 'main', inputs: { run_id: 'r1', wave: '0' } }
const named = () => ({ json: { workflow_run_id: 31, run_url: 'https://api.test/31', html_url: 'https://test/31' } })

t.test('a dispatch asks for its run on github.com, and copes without it', async (t) => {
  const github = await scriptedGitHub(t, { [dispatches]: (_, times) => (times === 1 ? named() : { status: 204 }) })
  t.equal(await github.host.dispatchWorkflow(repo, order), 31)
  t.equal(await github.host.dispatchWorkflow(repo, order), undefined)
  t.same(github.seen[0]?.body, { ref: 'main', inputs: order.inputs, return_run_details: true })
})

t.test('GitHub Enterprise Server is not asked for the run of a dispatch, also below causedBy', async (t) => {
  const path = dispatches.replace('POST ', 'POST /api/v3')
  const listening = await scriptedGitHub(t, {
    'POST /api/v3/app/installations/42/access_tokens': () => ({
      status: 201,
      json: { token: 'ghs_42', expires_at: new Date(Date.now() + 3_600_000).toISOString(), permissions: {} },
    }),
    [path]: () => ({ status: 204 }),
  })
  for (const ending of ['/api/v3', '/api/v3/']) {
    const { host } = await scriptedGitHub(t, {}, { apiUrl: `${listening.url}${ending}` })
    t.equal(await host.dispatchWorkflow(repo, order), undefined)
    t.equal(await host.causedBy('job-1').dispatchWorkflow(repo, order), undefined)
  }
  t.equal(listening.seen.length, 4)
  for (const { body } of listening.seen) t.same(body, { ref: 'main', inputs: order.inputs })
})

const refusals: [status: number, message: string, requests?: number][] = [
  [404, 'Not Found'],
  // by a new token too
  [403, 'Resource not accessible by integration', 2],
  [422, "Workflow does not have 'workflow_dispatch' trigger"],
  [422, 'Unexpected inputs provided: ["wave"]'],
  [422, 'inputs are too large.'],
]

for (const [hostStatus, message, requests = 1] of refusals) {
  t.test(`a dispatch refused with ${hostStatus} says why in GitHub's words: ${message}`, async (t) => {
    const documentation_url = 'https://docs.github.com/rest/actions/workflows'
    const github = await scriptedGitHub(t, {
      [dispatches]: () => ({ status: hostStatus, json: { message, documentation_url } }),
    })
    await t.rejects(github.host.dispatchWorkflow(repo, order), {
      name: 'Refusal',
      hostStatus,
      hostMessage: message,
      message: `github: dispatching svc-run.yml of octo/infra on main: ${hostStatus} ${message} - ${documentation_url}`,
    })
    t.equal(github.seen.length, requests)
  })
}
