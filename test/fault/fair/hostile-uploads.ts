import { jobClaims } from '#test/helpers/runner.ts'
import type { World } from '#test/helpers/world.ts'
import { opened, stack } from '#test/scenes/scene.ts'

const many = <T>(count: number, one: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => one(index))

/** What a hostile organisation uploads, again and again: what takes longest to match, and what takes most room. */
const contents = {
  '5,000 globs on 1,000 paths': () => ({
    graph: { stacks: [stack('a')], modules: [], edges: [] },
    config: { version: 1, tool: 'terraform', ignore: many(5000, (index) => `**/*a${index}`) },
    changed_paths: many(1000, (index) => `aa/ab${index}/${'a/'.repeat(20)}abcabc${index}.tf`),
  }),
  'graphs of 8 MB': () => ({
    graph: {
      stacks: many(20_000, (index) => stack(`s/${index}`)),
      modules: [],
      edges: many(58_000, (index) => ({
        from: { kind: 'stack', key: `s/${(index % 19_999) + 1}` },
        to: { kind: 'stack', key: `s/${Math.floor(index / 7) % ((index % 19_999) + 1)}` },
        type: 'depends_on',
      })),
    },
    config: { version: 1, tool: 'terraform' },
    changed_paths: ['s/0/main.tf'],
  }),
} as const

export type Hostility = keyof typeof contents

export const hostilities = Object.keys(contents) as Hostility[]

/** Uploads from so many pull requests at once, without a pause, until it is stopped; says how often each status was answered. */
export const startHostileUploads = async (
  world: World,
  what: Hostility,
  pulls: number,
): Promise<() => Promise<Map<number, number>>> => {
  const { github, repository, service } = world
  const stopping = new AbortController()
  const statuses = new Map<number, number>()
  const upload = async (): Promise<void> => {
    const { pull, id } = await opened(world, {}, { workflowRunId: 8000 })
    const { graph, ...rest } = contents[what]()
    const of = { repo: repository.fullName, sha: pull.headSha(), tree_hash: 'hostile' }
    // once: making 8 MB of JSON holds up the measurement, which is in this process
    const body = Buffer.from(JSON.stringify({ graph: { ...of, ...graph }, ...rest }))
    while (!stopping.signal.aborted) {
      const authorization = `Bearer ${await github.mintToken(jobClaims(world, pull.number))}`
      const response = await fetch(`${service.url}/v1/runs/${id}/graph`, {
        ...{ method: 'POST', body, signal: stopping.signal },
        headers: { authorization, 'content-type': 'application/json' },
      })
      await response.arrayBuffer()
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    }
  }
  const all = many(pulls, () => upload().catch((error) => stopping.signal.aborted || Promise.reject(error)))
  return async () => {
    stopping.abort()
    await Promise.all(all)
    return statuses
  }
}
