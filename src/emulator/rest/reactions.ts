import { z } from 'zod'
import { accountBody } from '#emulator/bodies/account.ts'
import { nodeId, stamp } from '#emulator/bodies/node-id.ts'
import { react } from '#emulator/people/react.ts'
import { type Reaction, reactionContents } from '#emulator/people-records.ts'
import { reactionsTo } from '#emulator/store.ts'
import type { World } from '#emulator/world.ts'
import { commentOf } from './comments.ts'
import { appBot } from './serving/app-bot.ts'
import type { RepositoryCall } from './serving/call.ts'
import { paginate } from './serving/pagination.ts'
import { repositoryRoute } from './serving/route.ts'
import { parseBody } from './serving/validation.ts'

const reactionBody = (world: World, reaction: Reaction) => ({
  id: reaction.id,
  node_id: nodeId('REA', reaction.id),
  user: accountBody(world, reaction.author),
  content: reaction.content,
  created_at: stamp(reaction.createdAt),
})

const reactionSchema = z.object({ content: z.enum(reactionContents) })

const createReaction = (call: RepositoryCall) => {
  const { world } = call
  const comment = commentOf(call)
  const { content } = parseBody('Reaction', reactionSchema, call.body)
  const { reaction, made } = react(world, comment, appBot(world), content)
  return { status: made ? 201 : 200, body: reactionBody(world, reaction) }
}

const listReactions = (call: RepositoryCall) => {
  const { content } = call.query
  const given = reactionsTo(call.world.store, commentOf(call)).filter((one) => (content ?? one.content) === one.content)
  return paginate(call, given, (page) => page.map((reaction) => reactionBody(call.world, reaction)))
}

/** GitHub Docs, 'REST API endpoints for reactions'. */
export const reactionRoutes = [
  repositoryRoute('GET', '/issues/comments/{comment_id}/reactions', ['issues', 'read'], listReactions),
  repositoryRoute('POST', '/issues/comments/{comment_id}/reactions', ['issues', 'write'], createReaction),
]
