import { Worker } from 'node:worker_threads'
import { jobClaims } from '#test/helpers/runner.ts'
import type { World } from '#test/helpers/world.ts'
import { opened, stack } from '#test/scenes/scene.ts'
import type { HostileNews, HostileUpload, HostileWork } from './hostile-thread.ts'

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

/** In the place of a tree's name: the thread counts there. */
const count = '00000000'

/**
 * Uploads from so many pull requests at once, without a pause, until it is stopped; says how often each status was answered, 0 for
 * none. From a thread of its own, straight to the instances: to send 8 MB takes more processor time than to refuse them, which would
 * be measured as the service's.
 */
export const startHostileUploads = async (
  world: World,
  instances: readonly string[],
  what: Hostility,
  pulls: number,
): Promise<() => Promise<Map<number, number>>> => {
  const jobs = await Promise.all(many(pulls, () => opened(world, {}, { workflowRunId: 8000 })))
  const uploads = jobs.map(({ pull, id }): HostileUpload => {
    const { graph, ...rest } = contents[what]()
    const of = { repo: world.repository.fullName, sha: pull.headSha(), tree_hash: count }
    const body = Buffer.from(JSON.stringify({ graph: { ...of, ...graph }, ...rest }))
    return { path: `/v1/runs/${id}/graph`, body, at: body.indexOf(count) }
  })
  const workerData: HostileWork = { instances, uploads }
  const thread = new Worker(new URL('./hostile-thread.ts', import.meta.url), { workerData })
  const statuses = new Map<number, number>()
  thread.on('message', async ({ upload, status }: HostileNews) => {
    if (status !== undefined) return void statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const number = jobs[upload]?.pull.number ?? 0
    thread.postMessage({ upload, token: await world.github.mintToken(jobClaims(world, number)) })
  })
  thread.on('error', (error) => {
    throw error
  })
  return async () => {
    await thread.terminate()
    return statuses
  }
}
