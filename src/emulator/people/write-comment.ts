import type { Account, Comment, PullRequest } from '#emulator/records.ts'
import { reactionsTo } from '#emulator/store.ts'
import { emitComment } from '#emulator/webhooks/events.ts'
import type { World } from '#emulator/world.ts'

/** Adds a comment to a pull request's conversation. */
export const writeComment = (
  world: World,
  pull: PullRequest,
  wanted: { author: Account; body: string; viaApp: boolean },
): Comment => {
  const now = world.clock()
  const { repository, number } = pull
  const comment: Comment = { id: world.store.newId(), repository, number, ...wanted, createdAt: now, updatedAt: now }
  world.store.comments.set(comment.id, comment)
  emitComment(world, pull, comment, 'created', comment.author)
  return comment
}

export const editComment = (
  world: World,
  wanted: { pull: PullRequest; comment: Comment; body: string; sender: Account },
): void => {
  const { comment } = wanted
  const from = comment.body
  comment.body = wanted.body
  comment.updatedAt = world.clock()
  emitComment(world, wanted.pull, comment, 'edited', wanted.sender, { changes: { body: { from } } })
}

export const deleteComment = (world: World, pull: PullRequest, comment: Comment, sender: Account): void => {
  world.store.comments.delete(comment.id)
  for (const reaction of reactionsTo(world.store, comment)) world.store.reactions.delete(reaction.id)
  emitComment(world, pull, comment, 'deleted', sender)
}
