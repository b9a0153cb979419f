import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { defaultConfig, parseRepoConfig } from '#domain/config/config-file.ts'
import { safeName } from '#runner/job/work-dir.ts'
import { clientFor, directoryFor, installProgram, jobEnvironment, type RunOptions } from '../client.ts'
import { type Asked, type Json, json, serverFor, tokenServer } from '../token-server.ts'
import { fakeTool } from './fake-tool.ts'

export const runId = '8df09afa-bc3c-4191-be17-83c114311d67'

const row = (key: string) => ({ stack_id: runId, key, path: key, wave: 0, status: 'planned' })

export const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
    cwd,
    encoding: 'utf8',
  }).trim()

export const write = (dir: string, files: Record<string, string>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
}

/** The run that dispatched a job, as the service describes it. */
type Dispatching = { mode: string; sha: string }

const answerOf = ({ mode, sha }: Dispatching) => ({
  run_id: runId,
  status: 'planning',
  existing: true,
  run: {
    ...{ id: runId, repo: 'acme/infra', sha, trigger: 'comment', mode, status: 'planning', waves: 1, current_wave: 0 },
    ...{ created_at: '2026-01-31T12:00:00Z', html_url: 'https://svc.example.com/runs/1' },
  },
})

const configOf = (text: string): unknown => {
  const parsed = parseRepoConfig(text)
  return parsed.ok ? parsed.config : defaultConfig
}

/** A service that accepts everything, unless `refuse` returns a status and a body. */
const takingService = async (
  t: Test,
  dispatching: Dispatching,
  policy: unknown,
  refuse: (asked: Asked) => [number, unknown] | undefined = () => undefined,
) => {
  const { url, asked } = await serverFor(t, (one, response) => {
    const [, key = '', kind, name] = /\/stacks\/([^/]+)\/(result|checks)(?:\/(.*))?$/.exec(one.path) ?? []
    const refusal = refuse(one)
    // what a job may run: here the checkout's file is the default branch's, unless another is given
    if (one.path.endsWith('/config')) {
      asked.splice(asked.indexOf(one), 1)
      return policy === null
        ? json(response, 503, { code: 'unavailable', message: 'gone' })
        : json(response, 200, { config: policy })
    }
    if (refusal !== undefined) json(response, ...refusal)
    else if (one.path === '/v1/runs') json(response, 200, answerOf(dispatching))
    else if (kind === 'result') json(response, 200, row(decodeURIComponent(key)))
    else json(response, 200, { name, status: one.body.status, updated_at: '2026-01-31T12:00:00Z' })
  })
  return { url, asked }
}

/** A job of one stack, `network`, at a commit of a checkout, with a fake tool and a service that accepts everything. */
export const planningJob = async (
  t: Test,
  {
    files = {},
    refuse,
    policy = files['svc.yml'],
  }: {
    files?: Record<string, string>
    /** svc.yml of the default branch; null if the service cannot say. */
    policy?: string | null | undefined
    refuse?: (asked: Asked) => [number, unknown] | undefined
  } = {},
) => {
  const dir = directoryFor(t)
  for (const name of ['repo', 'bin', 'temp']) mkdirSync(join(dir, name))
  const root = join(dir, 'repo')
  git(root, 'init', '-q', '-b', 'main')
  write(root, { 'network/main.tf': 'resource "terraform_data" "a" {}\n', ...files })
  git(root, 'add', '.')
  git(root, 'commit', '-q', '-m', 'one')
  installProgram(join(dir, 'bin', 'terraform'), fakeTool)
  const dispatching: Dispatching = { mode: 'plan', sha: git(root, 'rev-parse', 'HEAD') }
  const service = await takingService(t, dispatching, policy === null ? null : configOf(policy ?? 'version: 1'), refuse)
  const tokens = await tokenServer(t, () => 'token')
  const client = clientFor(t)
  const env: Record<string, string | undefined> = {
    ...jobEnvironment(join(dir, 'temp')),
    ...tokens.env,
    PATH: `${join(dir, 'bin')}:${process.env.PATH}`,
    SVC_URL: service.url,
    SVC_RUN_ID: runId,
    SVC_STACK: 'network',
  }
  const run = (args: readonly string[], options: Omit<RunOptions, 'cwd'> = {}) =>
    client.run(args, { cwd: root, ...options, env: { ...env, ...options.env } })
  const read = (path: string): string | undefined =>
    existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined
  /** Bodies of the results posted. */
  const results = (): Json[] => service.asked.filter(({ path }) => path.endsWith('/result')).map(({ body }) => body)
  /** Environment of a job that the service dispatched in this mode, with these fields in its stack's entry of the matrix. */
  const dispatched = (mode: 'plan' | 'apply' | 'drift', entry: object = {}): Record<string, string> => {
    dispatching.mode = mode
    const common = { stack: 'network', key: 'network', environment: 'default', tool: 'terraform' }
    return {
      ...{ SVC_MODE: mode, SVC_WAVE: '0', SVC_SHA: dispatching.sha, SVC_STACK: '' },
      SVC_MATRIX: JSON.stringify({ ...common, ...entry }),
    }
  }
  /** Puts a plan where the workflow downloads the saved one; returns its path. */
  const download = (text: string | Uint8Array, name = safeName('network')): string => {
    const path = join(dir, 'temp/svc/saved', `${name}.tfplan`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return path
  }
  const calls = (stack = 'network'): string[] => (read(`${stack}/calls`) ?? '').trimEnd().split('\n')
  return {
    dir,
    root,
    env,
    service,
    run,
    write: (given: Record<string, string>) => write(root, given),
    read,
    results,
    calls,
    dispatched,
    download,
  }
}
