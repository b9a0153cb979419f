import t from 'tap'
import { compile, type Failure } from '#test/helpers/compile.ts'

/*
 * What the types of jobs must refuse. Each line that must not compile says so at its end, and all the others must compile: each
 * wrong line has a correct twin beside it, so none of them fails for another reason than the intended one.
 */

const jobs = `
import { makeJob } from '#jobs/job.ts'

export const host = { installationId: 5, cause: null }
export const jobs = [
  makeJob('publish_run', { run_id: 'run-1' }, { installationId: 5, cause: null }),
  makeJob('publish', { run_id: 'run-1' }, { installationId: 5, cause: null }), // fails
  makeJob('publish_run', { runId: 'run-1' }, { installationId: 5, cause: null }), // fails
  makeJob('publish_run', { run_id: 'run-1' }, { cause: null }), // fails
  makeJob('publish_run', { run_id: 'run-1' }, { installationId: 5, cause: null, later: true }),
  makeJob('publish_run', { run_id: 'run-1' }, { installationId: 5, cause: null, latr: true }), // fails
  makeJob('dispatch_wave', { run_id: 'run-1', wave: 1 }, host),
  makeJob('dispatch_wave', { run_id: 'run-1', wave: '1' }, host), // fails
  makeJob('schedule_drift', {}, { installationId: 0, cause: null }),
  makeJob('schedule_drift', { repo_id: 7 }, { installationId: 5, cause: null }), // fails
  makeJob('schedule_drift', { repo_id: 7, due_at: '2026-03-02T04:00:00Z' }, { installationId: 5, cause: null }),
  makeJob('prune', {}, { cause: null }),
  makeJob('prune', { all: true }, { cause: null }), // fails
  makeJob('prune', {}, {}), // fails
]
`

const forgotten = `  forgotten: define({ payload: nothing, key: () => 'all' }),`
const before = (line: string, added: string) => (text: string) => text.replace(line, `${added}\n${line}`)

const driftStack = '  drift_stack: (deps, { stack_id }) => keepDriftIssue(deps, stack_id),'
const ofAnotherPayload = 'drift_stack: (deps, { run_id }) => keepDriftIssue(deps, run_id),'

// the compiler takes some seconds on a busy machine
t.setTimeout(120_000)

let failures: Failure[]
t.before(async () => {
  failures = await compile({
    'src/snippets/jobs.ts': jobs,
    'src/jobs/table.ts': before('  /** Removes what has passed its retention. */', forgotten),
    'src/workers/handlers/index.ts': (text) => text.replace(driftStack, `  ${ofAnotherPayload}`),
  })
})

const failing = (path: string): Failure[] => failures.filter(({ file }) => file === path)

t.test(
  'a job of an unknown kind, or with a wrong payload, or without what its lane is made of, does not compile',
  async (t) => {
    const marked = jobs.split('\n').filter((line) => line.endsWith('// fails'))
    t.equal(marked.length, 8)
    t.same(
      failing('src/snippets/jobs.ts').map(({ source }) => source),
      marked.map((line) => line.trim()),
    )
  },
)

t.test('a kind of job without a handler does not compile, nor a handler that takes another payload', async (t) => {
  t.match(failing('src/workers/handlers/index.ts'), [
    { message: /'forgotten' is missing/ },
    { source: ofAnotherPayload, message: /'run_id' does not exist/ },
  ])
  t.same([...new Set(failures.map(({ file }) => file))].sort(), [
    'src/snippets/jobs.ts',
    'src/workers/handlers/index.ts',
  ])
})
