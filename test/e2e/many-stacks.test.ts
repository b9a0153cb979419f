import { request } from 'node:http'
import t from 'tap'
import { longestTurn } from '#test/helpers/longest-turn.ts'
import { jobClaims, playJob } from '#test/helpers/runner.ts'
import { startWorld } from '#test/helpers/world.ts'
import { openPull } from '#test/scenes/scene.ts'

const stacks = 20_000

/** Posts bytes and reads the answer without looking into it, so that the loop is the service's alone. */
const post = (url: string, token: string, body: Buffer): Promise<{ status: number; bytes: number }> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const sent = request(url, { method: 'POST', headers }, (response) => {
      let bytes = 0
      response.on('data', (data) => {
        bytes += data.length
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, bytes }))
    })
    sent.on('error', reject)
    sent.end(body)
  })

t.test('an upload of 20,000 stacks, all affected, never holds the event loop for long', async (t) => {
  const world = await startWorld(t)
  const pull = await openPull(world, {})
  const job = playJob(world, pull, { workflowRunId: 77 })
  const { run_id: id } = (await job.open()).body
  const keys = Array.from({ length: stacks }, (_, index) => `teams/${index % 60}/service-${index}`)
  const graph = {
    ...{ repo: 'acme/infra', sha: pull.headSha(), tree_hash: 'tree', modules: [], edges: [] },
    stacks: keys.map((key) => ({ key, path: key })),
  }
  const config = { version: 1, tool: 'terraform' }
  const body = Buffer.from(JSON.stringify({ graph, config, changed_paths: keys.map((key) => `${key}/main.tf`) }))
  const token = await world.github.mintToken(jobClaims(world, pull.number, { run_id: '77', run_attempt: '1' }))
  const longest = longestTurn()
  const answer = await post(`${world.service.url}/v1/runs/${id}/graph`, token, body)
  const ms = longest()
  t.equal(answer.status, 200)
  t.ok(answer.bytes > 100 * stacks, `${answer.bytes} bytes`)
  // 10 to 15 ms, where it was 30 before what the thread resolved came in portions too
  t.ok(ms < 30, `it was held for ${Math.round(ms)} ms at most`)
})
