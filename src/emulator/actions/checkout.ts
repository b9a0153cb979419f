import { mkdir, readdir, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { z } from 'zod'
import { inheritedVariables } from './contexts.ts'
import type { JobScope } from './job-scope.ts'
import { pathWithin } from './path-within.ts'
import { runProcess } from './process-group.ts'

export const checkoutInputs = z.strictObject({
  repository: z.string().optional(),
  ref: z.string().default(''),
  // No sign-in: the repository is read from disk.
  token: z.string().optional(),
  path: z.string().default('.'),
  'fetch-depth': z.coerce.number().int().min(0).default(1),
  'persist-credentials': z.enum(['true', 'false']).default('true'),
})

type Inputs = z.output<typeof checkoutInputs>

type Git = (...args: string[]) => Promise<string>

const createGit =
  (scope: JobScope, cwd: string, stop: AbortSignal): Git =>
  async (...args) => {
    const lines: string[] = []
    const onLine = (line: string) => {
      lines.push(line)
      scope.log.write(line)
    }
    const env = { ...inheritedVariables(process.env), GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_NOSYSTEM: '1' }
    scope.log.write(`[command]git ${args.join(' ')}`)
    const exit = await runProcess({ command: 'git', args, cwd, env, onLine, stop, grace: scope.grace })
    if (exit.code !== 0) throw new Error(`git ${args[0]} ended with ${exit.code ?? exit.signal}`)
    return lines.join('\n')
  }

/** What to fetch, where to keep it, and the branch to be on; a commit or a pull request's ref is checked out detached. */
type Target = { source: string; destination: string; branch: string | undefined }

const branchTarget = (branch: string, source = `refs/heads/${branch}`): Target => ({
  source,
  destination: `refs/remotes/origin/${branch}`,
  branch,
})

const refTarget = (ref: string, source: string): Target => {
  if (ref.startsWith('refs/heads/')) return branchTarget(ref.slice('refs/heads/'.length), source)
  const destination = ref.startsWith('refs/pull/') ? ref.replace('refs/pull/', 'refs/remotes/pull/') : ref
  return { source, destination, branch: undefined }
}

const isSha = (text: string): boolean => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text)

/** Without a ref, the commit that triggered the workflow, even if the branch has moved on since. */
const findTarget = async (scope: JobScope, ref: string, git: Git): Promise<Target> => {
  if (ref === '') return refTarget(scope.request.ref, scope.request.sha)
  if (isSha(ref)) return { source: ref, destination: 'refs/remotes/origin/commit', branch: undefined }
  if (ref.startsWith('refs/')) return refTarget(ref, ref)
  const found = await git('ls-remote', 'origin', `refs/heads/${ref}`, `refs/tags/${ref}`)
  if (found.includes('\trefs/heads/')) return branchTarget(ref)
  if (found.includes('\trefs/tags/')) return refTarget(`refs/tags/${ref}`, `refs/tags/${ref}`)
  throw new Error(`a branch or tag with the name '${ref}' could not be found`)
}

const empty = async (directory: string): Promise<void> => {
  await mkdir(directory, { recursive: true })
  const names = await readdir(directory)
  await Promise.all(names.map((name) => rm(resolve(directory, name), { recursive: true, force: true })))
}

/**
 * actions/checkout: the repository that the workflow runs for, read from the emulator's disk. Throws if git fails. Source:
 * github.com/actions/checkout, README (ref, path, fetch-depth: 0 fetches all branches and tags).
 */
export const checkout = async (inputs: Inputs, scope: JobScope, stop: AbortSignal): Promise<Record<string, string>> => {
  const { owner, name } = scope.request.repo
  if (inputs.repository && inputs.repository.toLowerCase() !== `${owner}/${name}`.toLowerCase())
    throw new Error(`checking out another repository ('${inputs.repository}') is not supported by this emulator`)
  const directory = pathWithin([scope.workspace], inputs.path)
  await empty(directory)
  const git = createGit(scope, directory, stop)
  await git('init', '--quiet', '--initial-branch', scope.request.repo.defaultBranch)
  await git('remote', 'add', 'origin', `file://${resolve(scope.request.gitDir)}`)
  const target = await findTarget(scope, inputs.ref, git)
  const fetch = ['fetch', '--quiet', '--no-recurse-submodules', '--prune']
  const depth = inputs['fetch-depth']
  if (depth === 0) await git(...fetch, 'origin', '+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*')
  const shallow = depth > 0 ? ['--no-tags', `--depth=${depth}`] : []
  await git(...fetch.slice(0, -1), ...shallow, 'origin', `+${target.source}:${target.destination}`)
  const place = target.branch ? ['-B', target.branch] : ['--detach']
  await git('checkout', '--quiet', '--force', ...place, target.destination)
  const commit = (await git('log', '-1', '--format=%H')).trim()
  return { ref: inputs.ref || scope.request.ref, commit }
}
