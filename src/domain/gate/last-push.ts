import type { ApplyPolicy, AskedFacts } from './facts.ts'
import { sameLogin } from './people.ts'

/**
 * Whether the person who pushed the head may not vouch for it (`apply.last_push`): as the policy says, or else where it asks for
 * four eyes. A colleague who pushes to another's pull request wrote what is applied, though the code host calls somebody else its author.
 */
export const asksLastPush = ({ last_push, four_eyes }: Pick<ApplyPolicy, 'last_push' | 'four_eyes'>): boolean =>
  last_push ?? four_eyes

/** Whether somebody pushed the head: null if that is not known. */
export const pushedHead = ({ pusher }: Pick<AskedFacts, 'pusher'>, login: string): boolean | null => {
  if (pusher === null) return null
  return pusher.login !== null && sameLogin(pusher.login, login)
}
