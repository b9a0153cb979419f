import { many } from '#domain/change-counts.ts'
import type { PullRequestHandle } from '#emulator/handles.ts'
import { type DemoChange, demoChanges } from '../demo-changes.ts'
import { type Follow, follow } from './follow.ts'
import { differences } from './intended.ts'
import { type Followed, isSettled, type Observation, observe } from './observe.ts'
import type { Place } from './place.ts'
import type { Scene } from './scenes.ts'
import type { Teller } from './teller.ts'

type Change = keyof typeof demoChanges

/** A commit whose run the demo has followed. */
export type Played = { change: Change; followed: Followed; seen: Observation }

/** Plays scenes and remembers what it did. */
export type Stage = {
  /** Resolves with what came out otherwise than intended, a sentence each. */
  play(scene: Scene): Promise<string[]>
  /** Opens a pull request (pushes, when its branch has one already) and follows it, whatever comes of it. */
  open(change: Change, author: string): Promise<Follow>
  /** The commits so far, in the order they were pushed, as they were last seen. */
  played(): readonly Played[]
}

export const createStage = (place: Place, teller: Teller): Stage => {
  const pulls = new Map<string, PullRequestHandle>()
  const played: Played[] = []

  const push = async (change: Change, author: string): Promise<Followed> => {
    const made: DemoChange = demoChanges[change]
    const open = pulls.get(made.branch)
    if (open) await place.hub.push(open, made)
    const pull = open ?? (await place.hub.open(made, author))
    pulls.set(made.branch, pull)
    teller.tell(`${open ? 'pushed to' : 'opened'} pull request #${pull.number} '${made.title}': ${pull.url}`)
    return { place, pull, sha: pull.headSha() }
  }

  const watch = async (change: Change, author: string, until?: (seen: Observation) => boolean): Promise<Follow> => {
    const followed = await push(change, author)
    const followedSoFar = await follow(followed, teller.tell, until)
    played.push({ change, followed, seen: followedSoFar.last })
    return followedSoFar
  }

  const replaced = async (change: Change): Promise<string[]> => {
    const earlier = played.find((one) => one.change === change)
    if (!earlier) return [`${change} was not played before`]
    const { last, problem } = await follow(earlier.followed, () => {}, isSettled)
    earlier.seen = last
    teller.tell(`the run of the commit before is ${last.run?.status ?? 'not there'}: ${last.run?.html_url ?? ''}`)
    const otherwise = problem === undefined ? differences({ status: 'superseded' }, last) : [problem]
    return otherwise.map((text) => `of the commit before: ${text}`)
  }

  const play = async ({ change, author, intended, replaces }: Scene): Promise<string[]> => {
    // Alone this scene brings its own first commit, and replaces its run in the middle of the work.
    const isMissing = replaces && !played.some((one) => one.change === replaces)
    const before = isMissing ? await watch(replaces, author, isPlanning) : undefined
    const { last, problem } = await watch(change, author)
    teller.tell(shownOf(last))
    const superseded = replaces ? await replaced(replaces) : []
    const problems = [before?.problem, problem].filter((each) => each !== undefined)
    return [...problems, ...differences(intended, last), ...superseded]
  }

  return {
    play,
    open: watch,
    played: () => played,
  }
}

/** How the code host shows it. */
const shownOf = ({ checkRuns }: Observation): string => {
  const rollUp = checkRuns.find(({ name }) => name === 'svc/plan')
  if (!rollUp) return 'there is no check run'
  const conclusions = [...new Set(checkRuns.map(({ status, conclusion }) => conclusion ?? status))].join(', ')
  return `${many(checkRuns.length, 'check run')} (${conclusions}); svc/plan says '${rollUp.title}': ${rollUp.url}`
}

const isPlanning = ({ run }: Observation): boolean => run?.status === 'planning'

/** Looks once more at everything that was played: a later commit may have superseded an earlier run. */
export const lookAgain = (stage: Stage): Promise<Played[]> =>
  Promise.all(stage.played().map(async (one) => ({ ...one, seen: await observe(one.followed) })))
