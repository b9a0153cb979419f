import t from 'tap'
import { product } from '#test/helpers/source-files.ts'

/* What makes the queue fast is in two folders, and docs/queue.md walks through it. This test keeps it there. */

/** What the rest of the product may import. */
const doors = ['src/workers/queue/worker.ts', 'src/workers/queue/run-job.ts']

/** A worker's own connection and its statements. */
const session = ['claim-jobs', 'queue-session', 'statement', 'wake-others'].map((name) => `src/db/queue/${name}.ts`)

const importsOf = (isInside: (path: string) => boolean, isFenced: (path: string) => boolean): string[] =>
  product
    .filter(({ path }) => !isInside(path))
    .flatMap(({ path, imports }) => imports.filter(({ to }) => isFenced(to)).map(({ to }) => `${path} imports ${to}`))

t.test('only the folder of the worker knows slots, claims and pace', async (t) => {
  const isInside = (path: string): boolean => path.startsWith('src/workers/queue/')
  t.ok(product.filter(({ path }) => isInside(path)).length > doors.length)
  t.same(
    importsOf(isInside, (path) => isInside(path) && !doors.includes(path)),
    [],
  )
})

t.test('only the worker knows its session', async (t) => {
  const paths = product.map(({ path }) => path)
  t.same(
    session.filter((path) => !paths.includes(path)),
    [],
  )
  t.same(
    importsOf(
      (path) => path.startsWith('src/workers/queue/') || path.startsWith('src/db/queue/'),
      (path) => session.includes(path),
    ),
    [],
  )
})
