import { z } from 'zod'
import type { RepoRef, WorkflowRun } from '../port.ts'
import { type Calls, inRepo } from './client/calls.ts'

const statuses = ['requested', 'queued', 'pending', 'waiting', 'in_progress', 'completed'] as const

// https://docs.github.com/rest/actions/workflow-runs
const RunAnswer = z.object({
  id: z.number(),
  event: z.string(),
  display_title: z.string(),
  path: z.string(),
  head_sha: z.string(),
  head_branch: z.string().nullable(),
  // Who first started it; a person who runs it again is its triggering_actor.
  actor: z.object({ login: z.string(), type: z.string() }).nullish(),
  run_attempt: z.number().default(1),
  // A status that GitHub may add is judged by the conclusion: a run without one has not ended.
  status: z.enum(statuses).nullable().catch(null),
  conclusion: z.string().nullable(),
  html_url: z.string(),
  created_at: z.string(),
})

const ListAnswer = z.object({ workflow_runs: z.array(RunAnswer) })

/** GitHub lists at most 1,000 of a filtered list, at 100 a page. */
const mostPages = 10

/**
 * Not filtered by event: each run says what triggered it, and a run that somebody started by hand must not look like no run.
 * GitHub compares `created` by the second.
 */
export const listWorkflowRuns = async (
  calls: Calls,
  ownBot: OwnBot,
  repo: RepoRef,
  workflow: string,
  since: Date,
): Promise<WorkflowRun[]> => {
  // By id: a run created while the pages are read pushes one from the first page onto the second.
  const found = new Map<number, WorkflowRun>()
  let read = 0
  const pages = calls.pages(
    {
      act: `listing the runs of ${workflow} of ${repo.owner}/${repo.name}`,
      route: 'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs',
      ...inRepo(repo, {
        workflow_id: workflow,
        created: `>=${since.toISOString().slice(0, 19)}Z`,
        exclude_pull_requests: true,
      }),
    },
    ListAnswer,
  )
  for await (const page of pages) {
    for (const run of page.workflow_runs) found.set(run.id, await toWorkflowRun(ownBot, run))
    read += 1
    if (read === mostPages) break
  }
  return [...found.values()]
}

export const getWorkflowRun = async (
  calls: Calls,
  ownBot: OwnBot,
  repo: RepoRef,
  id: number,
): Promise<WorkflowRun | undefined> => {
  const run = await calls.find(
    {
      act: `reading workflow run ${id} of ${repo.owner}/${repo.name}`,
      route: 'GET /repos/{owner}/{repo}/actions/runs/{run_id}',
      ...inRepo(repo, { run_id: id, exclude_pull_requests: true }),
    },
    RunAnswer,
  )
  return run && toWorkflowRun(ownBot, run)
}

/** The name GITHUB_TOKEN acts under, which any job has (GitHub Docs, 'GITHUB_TOKEN'). */
const jobsOwnBot = 'github-actions[bot]'

/** Whether a login is this app's own. */
export type OwnBot = (login: string) => Promise<boolean>

/** An app may be renamed: its name is asked for again where another bot shows up, but not more often than this. */
const renamedAfterMs = 60_000

export const createOwnBot = (calls: Calls): OwnBot => {
  let own: string | undefined
  let readAt = Number.NEGATIVE_INFINITY
  return async (login) => {
    const isOther = login !== own && login.endsWith('[bot]') && login !== jobsOwnBot
    if (isOther && performance.now() - readAt > renamedAfterMs) {
      const { slug } = await calls.ask({ act: "reading the app's name", route: 'GET /app', from: 'app' }, AppAnswer)
      own = `${slug}[bot]`
      readAt = performance.now()
    }
    return login === own
  }
}

// https://docs.github.com/rest/apps/apps#get-the-authenticated-app
const AppAnswer = z.object({ slug: z.string() })

const toWorkflowRun = async (ownBot: OwnBot, run: z.infer<typeof RunAnswer>): Promise<WorkflowRun> => ({
  id: run.id,
  event: run.event,
  title: run.display_title,
  path: pathOf(run.path),
  headSha: run.head_sha,
  headBranch: run.head_branch,
  byApp: run.actor?.type === 'Bot' && (await ownBot(run.actor.login)),
  attempt: run.run_attempt,
  status: run.status ?? (run.conclusion === null ? 'in_progress' : 'completed'),
  conclusion: run.conclusion,
  url: run.html_url,
  createdAt: run.created_at,
})

/** `.github/workflows/svc-run.yml@main` in some answers: only the file's path is wanted. */
export const pathOf = (path: string): string => path.split('@', 1)[0] ?? path
