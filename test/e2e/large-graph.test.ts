import t from 'tap'
import { limits } from '#domain/limits.ts'
import { playJob } from '#test/helpers/runner.ts'
import { startWorld } from '#test/helpers/world.ts'

const stacks = 6_000
const edgesEach = 5

const keyOf = (index: number): string => `teams/team-${index % 60}/services/service-${index}/prod-eu1`

/** About the 8 MB that a body may have: every stack reads the state of five before it. */
const largeGraph = () => ({
  stacks: Array.from({ length: stacks }, (_, index) => ({
    key: keyOf(index),
    path: keyOf(index),
    backend: {
      type: 's3',
      bucket: 'acme-terraform-state',
      key: `${keyOf(index)}/terraform.tfstate`,
      region: 'eu-central-1',
    },
    environment: 'production',
    tool: 'terraform',
    tool_version: '1.11.4',
    plan_output: 'full',
  })),
  edges: Array.from({ length: stacks * edgesEach }, (_, index) => {
    const from = Math.floor(index / edgesEach)
    const to = Math.max(0, from - 1 - (index % edgesEach) * 37)
    return {
      from: { kind: 'stack', key: keyOf(from) },
      to: { kind: 'stack', key: keyOf(to) },
      type: 'reads_state',
      inferred: true,
    }
  }).filter((edge) => edge.from.key !== edge.to.key),
})

t.test('a graph of 6,000 stacks and 30,000 edges is accepted, resolved and planned', async (t) => {
  const world = await startWorld(t)
  const pull = await world.github.openPullRequest({
    repo: 'acme/infra',
    branch: 'large',
    title: 'Large',
    author: 'ada',
    changes: { [`${keyOf(5990)}/main.tf`]: '# changed\n' },
  })
  const job = playJob(world, pull)
  const { run_id: id } = (await job.open()).body
  const graph = largeGraph()
  const bytes = Buffer.byteLength(JSON.stringify(graph))
  t.ok(bytes > 0.9 * limits.graphBodyBytes && bytes < limits.graphBodyBytes, `${(bytes / 1024 / 1024).toFixed(2)} MB`)

  const resolved = await job.upload(id, { graph, changed_paths: [`${keyOf(0)}/main.tf`] })
  t.equal(resolved.status, 200)
  t.equal(resolved.body.affected.length, stacks)
  t.equal(resolved.body.matrix.include.length, stacks)
  t.equal(resolved.body.waves.flat().length, stacks)
  const health = await fetch(`${world.service.url}/healthz`)
  t.equal(health.status, 200)
  const run = (await job.get(`/v1/runs/${id}`)).body
  t.match(run, { status: 'planning', waves: resolved.body.waves.length })
  t.equal(run.stacks.length, stacks)
  t.match(await job.report(id, keyOf(17)), { status: 200, body: { status: 'planned' } })

  const again = await job.upload(id, { graph, changed_paths: [`${keyOf(0)}/main.tf`] })
  t.equal(again.status, 200, 'the same upload again is answered with the same')
  const tooLarge = {
    ...graph,
    stacks: [...graph.stacks, { key: 'x', path: 'x', config: { note: 'y'.repeat(2 ** 20) } }],
  }
  t.match(await job.upload(id, { graph: tooLarge }), { status: 413, body: { code: 'invalid' } })
})
