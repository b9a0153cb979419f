import type { Change, Stage } from '../stage.ts'
import type { SceneName } from './scene-names.ts'

/** A story of the demo that shows one thing. */
export type Scene = {
  /** What happens and why it is worth seeing. */
  title: string
  /** The pull request that it plays on. */
  change: Change
  /** The scene that it goes on from, which is played first if it was not. */
  after?: SceneName
  /** Resolves with what came out otherwise than intended, a sentence each. */
  play(stage: Stage): Promise<string[]>
}
