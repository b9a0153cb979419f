import type { Reaction, ReactionContent } from '#emulator/people-records.ts'
import type { Account, Comment } from '#emulator/records.ts'
import { reactionsTo } from '#emulator/store.ts'
import type { World } from '#emulator/world.ts'

/** Reacts to a comment, once with each content; `made` is false if the reaction existed already. Sends no webhook. */
export const react = (
  world: World,
  comment: Comment,
  author: Account,
  content: ReactionContent,
): { reaction: Reaction; made: boolean } => {
  const known = reactionsTo(world.store, comment).find((one) => one.author === author && one.content === content)
  if (known) return { reaction: known, made: false }
  const reaction: Reaction = { id: world.store.newId(), comment, author, content, createdAt: world.clock() }
  world.store.reactions.set(reaction.id, reaction)
  return { reaction, made: true }
}
