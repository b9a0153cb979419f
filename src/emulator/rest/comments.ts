import { z } from 'zod'
import { commentBody } from '#emulator/bodies/comment.ts'
import { deleteComment, editComment, writeComment } from '#emulator/people/write-comment.ts'
import type { Comment } from '#emulator/records.ts'
import { pullOf } from './pulls.ts'
import { appBot } from './serving/app-bot.ts'
import type { RepositoryCall } from './serving/call.ts'
import { notFound, validationFailed } from './serving/errors.ts'
import { paginate } from './serving/pagination.ts'
import { repositoryRoute } from './serving/route.ts'
import { parseBody } from './serving/validation.ts'

const maxBody = 65_536

const bodySchema = z.object({ body: z.string() })

const textOf = (call: RepositoryCall): string => {
  const { body } = parseBody('IssueComment', bodySchema, call.body)
  const complaint = { resource: 'IssueComment', code: 'unprocessable', field: 'data' }
  if (body.trim() === '') throw validationFailed({ ...complaint, message: 'Body cannot be blank' })
  if (body.length > maxBody) {
    throw validationFailed({ ...complaint, message: `Body is too long (maximum is ${maxBody} characters)` })
  }
  return body
}

/** The comment in a path. */
export const commentOf = (call: RepositoryCall): Comment => {
  const comment = call.world.store.comments.get(Number(call.params.comment_id))
  if (!comment || comment.repository !== call.repository) throw notFound()
  return comment
}

const listComments = (call: RepositoryCall) => {
  const pull = pullOf(call, Number(call.params.issue_number))
  const since = call.query.since === undefined ? 0 : Date.parse(call.query.since)
  const listed = [...call.world.store.comments.values()].filter(
    (comment) =>
      comment.repository === call.repository &&
      comment.number === pull.number &&
      // Time stamps are whole seconds, and so is the comparison.
      Math.floor(comment.updatedAt.getTime() / 1000) >= Math.floor(since / 1000),
  )
  return paginate(call, listed, (page) => page.map((comment) => commentBody(call.world, comment)))
}

const createComment = (call: RepositoryCall) => {
  const pull = pullOf(call, Number(call.params.issue_number))
  const comment = writeComment(call.world, pull, { author: appBot(call.world), body: textOf(call), viaApp: true })
  const body = commentBody(call.world, comment)
  return { status: 201, body, headers: { location: body.url } }
}

const updateComment = (call: RepositoryCall) => {
  const comment = commentOf(call)
  const pull = pullOf(call, comment.number)
  editComment(call.world, { pull, comment, body: textOf(call), sender: appBot(call.world) })
  return { body: commentBody(call.world, comment) }
}

/** GitHub Docs, 'REST API endpoints for issue comments'. */
export const commentRoutes = [
  repositoryRoute('GET', '/issues/{issue_number}/comments', ['issues', 'read'], listComments),
  repositoryRoute('POST', '/issues/{issue_number}/comments', ['issues', 'write'], createComment),
  repositoryRoute('GET', '/issues/comments/{comment_id}', ['issues', 'read'], (call) => ({
    body: commentBody(call.world, commentOf(call)),
  })),
  repositoryRoute('PATCH', '/issues/comments/{comment_id}', ['issues', 'write'], updateComment),
  repositoryRoute('DELETE', '/issues/comments/{comment_id}', ['issues', 'write'], (call) => {
    const comment = commentOf(call)
    deleteComment(call.world, pullOf(call, comment.number), comment, appBot(call.world))
    return { status: 204 }
  }),
]
