import { many } from '#domain/texts/change-counts.ts'
import type { PullRequestHandle } from '#emulator/handles.ts'
import { type DemoChange, demoChanges } from '../demo-changes.ts'
import { type Follow, type FollowOptions, follow } from './follow.ts'
import { type Followed, type Observation, observe } from './observe.ts'
import type { Place } from './place.ts'
import type { Teller } from './teller.ts'

export type Change = keyof typeof demoChanges

/** A run that the demo has followed. */
export type Played = { change: Change; followed: Followed; seen: Observation }

/** Where scenes are played, and what was played so far. */
export type Stage = {
  place: Place
  tell(line: string): void
  /** Opens a pull request (or pushes, if its branch has one already) and follows its plan, whatever happens. */
  plan(change: Change, author: string, options?: FollowOptions): Promise<Follow>
  /** Follows a run that was requested at the head of a change's pull request. */
  watch(change: Change, run: Pick<Followed, 'mode' | 'notRunId'>, options?: FollowOptions): Promise<Follow>
  /** The pull request that a change was opened as. */
  pull(change: Change): PullRequestHandle
  /** The runs so far, in the order they began, as last seen. */
  played(): readonly Played[]
}

export const createStage = (place: Place, teller: Teller): Stage => {
  const pulls = new Map<string, PullRequestHandle>()
  const played: Played[] = []
  const { tell } = teller

  const pull = (change: Change): PullRequestHandle => {
    const open = pulls.get(demoChanges[change].branch)
    if (!open) throw new Error(`no pull request of ${change} is open`)
    return open
  }

  const push = async (change: Change, author: string): Promise<void> => {
    const made: DemoChange = demoChanges[change]
    const open = pulls.get(made.branch)
    if (open) await place.hub.push(open, made)
    const pushed = open ?? (await place.hub.open(made, author))
    pulls.set(made.branch, pushed)
    tell(`${open ? 'pushed to' : 'opened'} pull request #${pushed.number} '${made.title}': ${pushed.url}`)
  }

  const watch: Stage['watch'] = async (change, run, options) => {
    const at = pull(change)
    const followed: Followed = { place, pull: at, sha: at.headSha(), ...run }
    const ended = await follow(followed, tell, options)
    const runId = ended.last.run?.id
    played.push({ change, followed: { ...followed, ...(runId === undefined ? {} : { runId }) }, seen: ended.last })
    if (options?.until === undefined) tell(shownOf(ended.last))
    return ended
  }

  const plan: Stage['plan'] = async (change, author, options) => {
    await push(change, author)
    return watch(change, { mode: 'plan' }, options)
  }

  return { place, tell, plan, watch, pull, played: () => played }
}

/** How the code host shows it. */
const shownOf = ({ run, checkRuns }: Observation): string => {
  const rollUp = checkRuns.find(({ name }) => name === `svc/${run?.mode}`)
  if (!rollUp) return 'there is no check run'
  const conclusions = [...new Set(checkRuns.map(({ status, conclusion }) => conclusion ?? status))].join(', ')
  return `${many(checkRuns.length, 'check run')} (${conclusions}); ${rollUp.name} says '${rollUp.title}': ${rollUp.url}`
}

/** Looks again at everything that was played: a later commit may have superseded an earlier run. */
export const lookAgain = (stage: Stage): Promise<Played[]> =>
  Promise.all(stage.played().map(async (one) => ({ ...one, seen: await observe(one.followed) })))
