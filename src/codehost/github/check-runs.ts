import { z } from 'zod'
import type { CheckRunWanted } from '#domain/checks/check-run.ts'
import { limits } from '#domain/limits.ts'
import { cutAtLine } from '#domain/texts/markdown.ts'
import type { MadeCheckRun, RepoRef } from '../port.ts'
import { type Calls, inRepo, longTexts, undefinedIfForbidden } from './client/calls.ts'

// https://docs.github.com/rest/checks/runs
const MadeAnswer = z.object({ id: z.number() })
const ListAnswer = z.object({
  check_runs: z.array(z.object({ id: z.number(), name: z.string(), external_id: z.string().nullable().default(null) })),
})

/**
 * Of one name, since a commit may have thousands, each with a text of 65 KB; and all of those, not `filter=latest`: two runs at one
 * commit make check runs of one name, which differ by external id.
 */
export const listCheckRuns = async (
  calls: Calls,
  appId: number,
  repo: RepoRef,
  { sha, name }: { sha: string; name: string },
): Promise<MadeCheckRun[]> => {
  const made: MadeCheckRun[] = []
  const pages = calls.pages(
    {
      act: `listing check runs ${name} of ${repo.owner}/${repo.name} at ${sha}`,
      route: 'GET /repos/{owner}/{repo}/commits/{ref}/check-runs',
      ...inRepo(repo, { ref: sha, check_name: name, filter: 'all', app_id: appId }),
      perPage: longTexts,
    },
    ListAnswer,
  )
  for await (const page of pages) {
    made.push(...page.check_runs.map((run) => ({ id: run.id, name: run.name, externalId: run.external_id })))
  }
  return made
}

export const createCheckRun = async (calls: Calls, repo: RepoRef, check: CheckRunWanted): Promise<number> => {
  const made = await calls.ask(
    {
      act: `creating check run ${check.name} in ${repo.owner}/${repo.name}`,
      route: 'POST /repos/{owner}/{repo}/check-runs',
      ...inRepo(repo, { head_sha: check.headSha, ...fieldsOf(check) }),
      once: true,
    },
    MadeAnswer,
  )
  return made.id
}

export const updateCheckRun = async (
  calls: Calls,
  repo: RepoRef,
  id: number,
  check: CheckRunWanted,
): Promise<boolean> => {
  const made = await calls
    .find(
      {
        act: `updating check run ${id} (${check.name}) of ${repo.owner}/${repo.name}`,
        route: 'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}',
        ...inRepo(repo, { check_run_id: id, ...fieldsOf(check) }),
      },
      MadeAnswer,
    )
    .catch(undefinedIfForbidden)
  return made !== undefined
}

const longestTitle = 255

/** Without a conclusion while it goes on: naming one completes a check run, whatever its status says. */
const fieldsOf = (check: CheckRunWanted) => ({
  name: check.name,
  external_id: check.externalId,
  details_url: check.detailsUrl,
  status: check.status,
  ...(check.status === 'completed' ? { conclusion: check.conclusion ?? 'neutral' } : {}),
  output: {
    title: check.title.slice(0, longestTitle),
    summary: cutOutput(check.summary, check),
    // Named even when empty: an update keeps what it does not name, so an old plan would stay under a new result.
    text: cutOutput(check.text ?? '', check),
  },
})

const cutOutput = (text: string, check: CheckRunWanted): string =>
  cutAtLine(text, limits.outputChars, `Cut here: the code host takes no more. The rest: ${check.detailsUrl}`)
