import { z } from 'zod'
import { accountBody } from '#emulator/bodies/account.ts'
import { nodeId, stamp } from '#emulator/bodies/node-id.ts'
import { react, reactionsTo } from '#emulator/people/react.ts'
import { type Reaction, reactionContents } from '#emulator/people-records.ts'
import type { World } from '#emulator/world.ts'
import { appBot } from './app-bot.ts'
import type { RepositoryCall } from './call.ts'
import { commentOf } from './comments.ts'
import { paginate } from './pagination.ts'
import { repositoryRoute } from './route.ts'
import { parseBody } from './validation.ts'

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
  const given = reactionsTo(call.world, commentOf(call)).filter((one) => (content ?? one.content) === one.content)
  return paginate(call, given, (page) => page.map((reaction) => reactionBody(call.world, reaction)))
}

/** GitHub Docs, 'REST API endpoints for reactions'. */
export const reactionRoutes = [
  repositoryRoute('GET', '/issues/comments/{comment_id}/reactions', ['issues', 'read'], listReactions),
  repositoryRoute('POST', '/issues/comments/{comment_id}/reactions', ['issues', 'write'], createReaction),
]
