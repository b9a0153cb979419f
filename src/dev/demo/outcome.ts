import { demoChanges } from '../demo-changes.ts'
import { commentsOf } from './observe.ts'
import type { ScenePlayed } from './play-scenes.ts'
import type { Change, Played } from './stage.ts'

/** The JSON that `--json` prints. */
export type Outcome = {
  /** Whether everything came out as intended; `problems` says what did not. */
  ok: boolean
  problems: string[]
  /** The tool that planned and applied: a program's path, or `recorded plans`. */
  tool: string
  /** The scenes played, each with its verdict and what could be seen at its end. */
  scenes: ScenePlayed[]
  /** In the order in which they began. */
  runs: {
    id: string
    mode: string
    /** What triggered it: pull_request, or a comment. */
    trigger: string
    /** `waves` is their number; `stacks` is the status by key. */
    status: string
    waves: number
    stacks: Record<string, string>
    /** By the key of the blocked stack; left out if none is. */
    blocked_by?: Record<string, string[]>
    change: string
    pull_request: number
    sha: string
    html_url: string
  }[]
  /** Of all these runs, as the code host has them. */
  check_runs: {
    name: string
    status: string
    conclusion: string | null
    pull_request: number
    sha: string
    html_url: string
  }[]
  /** The one comment of the first pull request that shows its status. */
  comment_url: string | undefined
  pull_requests: {
    number: number
    title: string
    state: 'open' | 'merged' | 'closed'
    html_url: string
    comments: string[]
  }[]
  seconds: number
}

export const outcomeOf = (
  played: readonly Played[],
  given: Pick<Outcome, 'problems' | 'tool' | 'seconds' | 'scenes'>,
): Outcome => ({
  ok: given.problems.length === 0,
  ...given,
  runs: played.flatMap(runOf),
  check_runs: played.flatMap(checkRunsOf),
  comment_url: played[0]?.seen.comments.find(({ kind }) => kind === 'overview')?.url,
  pull_requests: pullRequestsOf(played),
})

const runOf = ({ change, followed, seen: { run } }: Played): Outcome['runs'] => {
  if (run === undefined) return []
  const { id, mode, trigger, status, waves, stacks = [], sha, html_url } = run
  const blocked = stacks.flatMap(({ key, blocked_by }) => (blocked_by?.length ? [[key, blocked_by] as const] : []))
  return [
    {
      ...{ id, mode, trigger, status, waves },
      stacks: Object.fromEntries(stacks.map((stack) => [stack.key, stack.status])),
      ...(blocked.length === 0 ? {} : { blocked_by: Object.fromEntries(blocked) }),
      ...{ change, pull_request: followed.pull.number, sha, html_url },
    },
  ]
}

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
  const pulls = new Map<number, { pull: Played['followed']['pull']; change: Change }>()
  for (const { change, followed } of played) pulls.set(followed.pull.number, { pull: followed.pull, change })
  return [...pulls.values()].map(({ pull, change }) => ({
    number: pull.number,
    title: demoChanges[change].title,
    state: pull.now().mergedAt === null ? pull.now().state : 'merged',
    html_url: pull.url,
    comments: commentsOf(pull).map(({ url }) => url),
  }))
}
