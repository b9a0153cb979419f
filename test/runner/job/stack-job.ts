import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { PullRequestHandle } from '#emulator/handles.ts'
import type { World } from '#test/helpers/world.ts'
import { clientFor, directoryFor, jobEnvironment, type RunOptions } from '../client.ts'
import { tokenServer } from '../token-server.ts'
import { git } from './planning.ts'

/**
 * A job of a pull request's workflow, played by the test: a checkout of the head with all history, the event's payload, and
 * tokens of the emulator's issuer for its workflow run.
 */
export const jobOf = async (t: Test, world: World, pull: PullRequestHandle) => {
  const dir = directoryFor(t)
  const root = join(dir, 'repo')
  git(dir, 'clone', '-q', world.repository.gitDir, root)
  git(root, 'checkout', '-q', '--detach', pull.headSha())
  const workflowRun = await pull.playWorkflowRun()
  const job = workflowRun.job('resolve')
  const tokens = await tokenServer(t, (audience) => job.token(audience))
  const eventPath = join(dir, 'event.json')
  const { repository } = world
  const { baseSha } = pull.now()
  const writeEvent = (headRepo: number = repository.id) => {
    const [head, base] = [
      { sha: pull.headSha(), repo: { id: headRepo } },
      { sha: baseSha, repo: { id: repository.id } },
    ]
    writeFileSync(eventPath, JSON.stringify({ pull_request: { number: pull.number, head, base } }))
  }
  writeEvent()
  const client = clientFor(t)
  const env: Record<string, string | undefined> = {
    ...jobEnvironment(join(dir, 'temp'), repository.fullName),
    ...tokens.env,
    GITHUB_RUN_ID: String(workflowRun.id),
    GITHUB_RUN_ATTEMPT: String(workflowRun.attempt),
    GITHUB_EVENT_NAME: 'pull_request',
    GITHUB_EVENT_PATH: eventPath,
    SVC_URL: world.service.url,
    SVC_AUDIENCE: 'http://svc.example.com',
  }
  const run = (args: readonly string[], options: Omit<RunOptions, 'cwd'> & { cwd?: string } = {}) =>
    client.run(args, { cwd: root, ...options, env: { ...env, ...options.env } })
  return { dir, root, env, run, audiences: tokens.audiences, writeEvent }
}
