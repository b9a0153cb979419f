import { evidence } from './evidence.ts'
import { commentsOf } from './observe.ts'
import { linesOf } from './people.ts'
import type { SceneName } from './scenes/scene-names.ts'
import { scenes, scenesToPlay } from './scenes/scenes.ts'
import { readLocks } from './service-api.ts'
import type { Change, Stage } from './stage.ts'
import type { Teller } from './teller.ts'

/** How a scene came out, and what could be seen at its end. */
export type ScenePlayed = {
  name: SceneName
  title: string
  ok: boolean
  problems: string[]
  pull_request: number
  /** The comments of its pull request, oldest first; `says` is the first line. */
  comments: { author: string; says: string; reactions: string[]; html_url: string }[]
  /** The locks that its pull request holds, by key. */
  locks: { stack_key: string; state: string; run_id: string }[]
}

const seenAtEnd = async (
  stage: Stage,
  change: Change,
): Promise<Pick<ScenePlayed, 'pull_request' | 'comments' | 'locks'>> => {
  const pull = stage.pull(change)
  const locks = await readLocks(stage.place)
  return {
    pull_request: pull.number,
    comments: commentsOf(pull).map(({ author, body, reactions, url }) => ({
      author,
      says: linesOf(body)[0] ?? body,
      reactions,
      html_url: url,
    })),
    locks: locks
      .filter(({ pr_number }) => pr_number === pull.number)
      .toSorted((one, other) => (one.stack_key < other.stack_key ? -1 : 1))
      .map(({ stack_key, state, run_id = '' }) => ({ stack_key, state, run_id })),
  }
}

/** Plays the wanted scenes and those they go on from; calls `onPlayed` at the end of each. */
export const playScenes = async (
  wanted: readonly SceneName[],
  stage: Stage,
  teller: Teller,
  onPlayed: (scene: ScenePlayed) => void,
): Promise<void> => {
  for (const name of scenesToPlay(wanted)) {
    const { title, change, play } = scenes[name]
    teller.title(title)
    const problems = await play(stage).catch((error) => {
      for (const text of evidence(stage.place, undefined)) teller.say(text)
      throw new Error(`${name}: ${error instanceof Error ? error.message : error}`, { cause: error })
    })
    for (const text of problems) teller.problem(`not as intended: ${text}`)
    if (problems.length > 0) for (const text of evidence(stage.place, stage.pull(change))) teller.say(text)
    onPlayed({ name, title, ok: problems.length === 0, problems, ...(await seenAtEnd(stage, change)) })
  }
}
