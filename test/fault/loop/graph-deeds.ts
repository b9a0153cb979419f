import { playJob } from '#test/helpers/runner.ts'
import { openPull, stack } from '#test/scenes/scene.ts'
import type { Deed } from './deed.ts'
import type { Loop } from './open-loop.ts'

type Upload = { graph: object; changed_paths?: string[]; config?: object; stacks?: string[] }

const many = <T>(count: number, one: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => one(index))

const keyOf = (index: number): string => `s/${index}`

const edge = (from: number, to: number): object => ({
  from: { kind: 'stack', key: keyOf(from) },
  to: { kind: 'stack', key: keyOf(to) },
  type: 'depends_on',
})

/** Uploads of up to 8 MB that are resolved and stored. */
const uploads: Readonly<Record<string, (stacks: number) => Upload>> = {
  'stacks, all of them changed': (stacks) => ({
    graph: { stacks: many(stacks, (index) => stack(keyOf(index))) },
    changed_paths: many(stacks, (index) => `${keyOf(index)}/main.tf`),
  }),
  'stacks in a chain': (stacks) => ({
    graph: {
      stacks: many(stacks, (index) => stack(keyOf(index))),
      edges: many(stacks - 1, (index) => edge(index + 1, index)),
    },
    changed_paths: ['s/0/main.tf'],
  }),
  'stacks that all depend on one': (stacks) => ({
    graph: {
      stacks: many(stacks, (index) => stack(keyOf(index))),
      edges: many(stacks - 1, (index) => edge(index + 1, 0)),
    },
    changed_paths: ['s/0/main.tf'],
  }),
  'stacks with edges up to 8 MB': (stacks) => ({
    graph: {
      stacks: many(stacks, (index) => stack(keyOf(index))),
      edges: many(Math.floor(stacks * 3.2), (index) =>
        edge((index % (stacks - 1)) + 1, Math.floor(index / 7) % ((index % (stacks - 1)) + 1)),
      ),
    },
    changed_paths: ['s/0/main.tf'],
  }),
  'stacks in a cycle': (stacks) => ({
    graph: {
      stacks: many(stacks, (index) => stack(keyOf(index))),
      edges: many(stacks, (index) => edge((index + 1) % stacks, index)),
    },
    changed_paths: ['s/0/main.tf'],
  }),
  'stacks of other repositories': (stacks) => ({
    graph: {
      stacks: [
        stack('a'),
        ...many(stacks, (index) => ({ ...stack(`acme/other//s/${index}`, { external: true }), path: '' })),
      ],
      edges: many(stacks, (index) => ({
        ...edge(0, 0),
        from: { kind: 'stack', key: 'a' },
        to: { kind: 'stack', key: `acme/other//s/${index}` },
      })),
    },
    changed_paths: ['a/main.tf'],
  }),
  'modules that one stack uses': (stacks) => ({
    graph: {
      stacks: [stack('a')],
      modules: many(stacks, (index) => ({ key: `modules/${index}`, kind: 'local', path: `modules/${index}` })),
      edges: many(stacks, (index) => ({
        from: { kind: 'stack', key: 'a' },
        to: { kind: 'module', key: `modules/${index}` },
        type: 'uses_module',
      })),
    },
    changed_paths: many(stacks, (index) => `modules/${index}/main.tf`),
  }),
  'stacks named one by one': (stacks) => ({
    graph: { stacks: many(stacks, (index) => stack(keyOf(index))) },
    stacks: many(stacks, keyOf),
  }),
}

export const graphDeeds = (loop: Loop, stacks: number): Deed[] =>
  Object.entries(uploads).map(([name, upload]) => ({
    name: `POST /v1/runs/{id}/graph: ${stacks} ${name}`,
    do: async () => {
      const pull = await openPull(loop.world, {})
      const job = playJob(loop.world, pull)
      const runId = String((await job.open()).body.run_id)
      const { status, body } = await job.upload(runId, upload(stacks))
      if (status !== 200) throw new Error(`${name}: ${JSON.stringify(body).slice(0, 300)}`)
      loop.large.runId ??= runId
    },
  }))
