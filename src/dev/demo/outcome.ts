import { demoChanges } from '../demo-changes.ts'
import type { Played } from './stage.ts'

/** What `--json` prints. */
export type Outcome = {
  /** Whether all came out as intended; `problems` says what did not. */
  ok: boolean
  problems: string[]
  /** What planned: a program's path, or `recorded plans`. */
  tool: string
  /** In the order in which their commits were pushed. */
  runs: {
    id: string
    /** `waves` is how many; `stacks` is the status by key. */
    status: string
    waves: number
    stacks: Record<string, string>
    change: string
    pull_request: number
    sha: string
    html_url: string
  }[]
  /** Of all of these runs, as the code host has them. */
  check_runs: {
    name: string
    status: string
    conclusion: string | null
    pull_request: number
    sha: string
    html_url: string
  }[]
  /** The one comment of the first pull request. */
  comment_url: string | undefined
  pull_requests: { number: number; title: string; html_url: string; comments: string[] }[]
  seconds: number
}

export const outcomeOf = (
  played: readonly Played[],
  given: Pick<Outcome, 'problems' | 'tool' | 'seconds'>,
): Outcome => ({
  ok: given.problems.length === 0,
  ...given,
  runs: played.flatMap(runOf),
  check_runs: played.flatMap(checkRunsOf),
  comment_url: played[0]?.seen.comments[0]?.url,
  pull_requests: pullRequestsOf(played),
})

const runOf = ({ change, followed, seen: { run } }: Played): Outcome['runs'] =>
  run === undefined
    ? []
    : [
        {
          id: run.id,
          status: run.status,
          waves: run.waves,
          stacks: Object.fromEntries((run.stacks ?? []).map(({ key, status }) => [key, status])),
          change,
          pull_request: followed.pull.number,
          sha: run.sha,
          html_url: run.html_url,
        },
      ]

const checkRunsOf = ({ followed: { pull, sha }, seen }: Played): Outcome['check_runs'] =>
  seen.checkRuns.map(({ name, status, conclusion, url }) => ({
    name,
    status,
    conclusion,
    pull_request: pull.number,
    sha,
    html_url: url,
  }))

const pullRequestsOf = (played: readonly Played[]): Outcome['pull_requests'] => {
  // The last commit of a pull request was looked at last.
  const newest = new Map(played.map((one) => [one.followed.pull.number, one]))
  return [...newest.values()].map(({ change, followed: { pull }, seen }) => ({
    number: pull.number,
    title: demoChanges[change].title,
    html_url: pull.url,
    comments: seen.comments.map(({ url }) => url),
  }))
}
