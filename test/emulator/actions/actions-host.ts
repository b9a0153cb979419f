import { execFileSync } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import root, { type Test } from 'tap'
import type { JobUpdate, RunnerHost, RunUpdate, WorkflowRequest } from '#emulator/actions/contract.ts'
import { createActionsEngine, type EngineOptions } from '#emulator/actions/engine.ts'

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
    cwd,
    encoding: 'utf8',
  }).trim()

/** A bare repository: `main` with two commits, branch `topic` on the first, tag `v1`, and pull request 7's merge commit. */
const createRepository = (directory: string) => {
  git(directory, 'init', '-q', '-b', 'main', 'work')
  const work = join(directory, 'work')
  const commit = (file: string, message: string) => {
    execFileSync('bash', ['-c', `mkdir -p "$(dirname '${file}')" && echo ${message} > '${file}'`], { cwd: work })
    git(work, 'add', '.')
    git(work, 'commit', '-q', '-m', message)
    return git(work, 'rev-parse', 'HEAD')
  }
  const base = commit('base.txt', 'base')
  git(work, 'tag', 'v1')
  git(work, 'checkout', '-q', '-b', 'topic')
  const head = commit('stacks/topic.txt', 'topic')
  git(work, 'checkout', '-q', 'main')
  const main = commit('main.txt', 'main')
  git(work, 'checkout', '-q', '--detach')
  git(work, 'merge', '-q', '--no-ff', '-m', 'merge', 'topic')
  const merge = git(work, 'rev-parse', 'HEAD')
  git(work, 'update-ref', 'refs/pull/7/merge', merge)
  git(directory, 'init', '-q', '--bare', 'repo.git')
  const gitDir = join(directory, 'repo.git')
  git(work, 'push', '-q', gitDir, 'main', 'topic', 'v1', 'refs/pull/7/merge')
  return { gitDir, commits: { base, head, main, merge } }
}

let shared: ReturnType<typeof createRepository> | undefined

/** One for all tests of a file, which only read it: making it costs twenty git processes. */
const sharedRepository = () => {
  shared ??= createRepository(root.testdir({}))
  return shared
}

/** An engine with a host that only remembers: the reports, in order, and every job's current state. */
export const createWorld = (t: Test, options: EngineOptions & Partial<RunnerHost> = {}) => {
  const directory = t.testdir({})
  const repository = sharedRepository()
  const changed = new EventEmitter()
  changed.setMaxListeners(0)
  const runs: RunUpdate[] = []
  const updates: JobUpdate[] = []
  const logs = new Map<number, string>()
  let ids = 0
  const host: RunnerHost = {
    serverUrl: 'http://127.0.0.1:4000',
    apiUrl: 'http://127.0.0.1:4000/api/v3',
    workDir: join(directory, 'runner'),
    newJobId: () => ++ids,
    tokenRequest: (job) => ({ url: `http://127.0.0.1:4000/oidc?job=${job.id}`, token: `request-token-${job.id}` }),
    approval: () => undefined,
    onRun: (update) => {
      runs.push(update)
      changed.emit('change')
    },
    onJob: (update) => {
      updates.push(update)
      changed.emit('change')
    },
    onLog: (id, text) => {
      logs.set(id, (logs.get(id) ?? '') + text)
      changed.emit('change')
    },
    env: {},
    path: [],
    ...options,
  }
  const engine = createActionsEngine(host, { grace: { interruptMs: 300, terminateMs: 200 }, ...options })
  t.teardown(() => engine.close())

  let runIds = 100
  const request = (text: string, over: Partial<WorkflowRequest> = {}): WorkflowRequest => ({
    id: ++runIds,
    attempt: 1,
    number: 3,
    event: 'pull_request',
    repo: { id: 42, owner: 'octo', ownerId: 9, name: 'infra', defaultBranch: 'main' },
    ref: 'refs/pull/7/merge',
    sha: repository.commits.merge,
    headRef: 'topic',
    baseRef: 'main',
    payload: { number: 7, pull_request: { number: 7, head: { sha: repository.commits.head } } },
    inputs: {},
    workflowPath: '.github/workflows/test.yml',
    workflowText: `on: pull_request\n${text}`,
    actor: 'mona',
    gitDir: repository.gitDir,
    ...over,
  })

  const until = async (isSo: () => boolean) => {
    while (!isSo()) await once(changed, 'change')
  }
  const jobs = (runId: number) => {
    const last = new Map<number, JobUpdate>()
    for (const update of updates) if (update.runId === runId) last.set(update.id, update)
    return [...last.values()]
  }
  /** `name: conclusion` of each job of a run, by name. */
  const results = (runId: number) => Object.fromEntries(jobs(runId).map((job) => [job.name, job.conclusion]))
  const log = (runId: number, name: string): string => {
    const job = jobs(runId).find((candidate) => candidate.name === name)
    return readFileSync(join(host.workDir, 'runs', String(runId), '1', `${job?.id}.log`), 'utf8')
  }
  const run = async (text: string, over: Partial<WorkflowRequest> = {}) => {
    const wanted = request(text, over)
    const conclusion = await engine.start(wanted).done
    return { id: wanted.id, conclusion, results: results(wanted.id), log: (name: string) => log(wanted.id, name) }
  }
  return { directory, host, engine, ...repository, request, run, runs, updates, logs, until, jobs, results, log }
}

/** A job `a` on its own: its steps as a YAML list without indent, and other keys of the job in `extra`. */
export const job = (steps: string, extra = ''): string =>
  `jobs:\n  a:\n    runs-on: x\n${extra}    steps:\n${steps.replaceAll(/^/gm, '      ')}`
