import { reactionContents } from '#emulator/people-records.ts'
import type { Comment } from '#emulator/records.ts'
import { fullName, reactionsTo } from '#emulator/store.ts'
import type { World } from '#emulator/world.ts'
import { accountBody } from './account.ts'
import { appBody } from './app.ts'
import { nodeId, stamp } from './node-id.ts'

/** How often each reaction was given. */
const reactionCounts = (world: World, comment: Comment) => {
  const given = reactionsTo(world.store, comment)
  const counts = reactionContents.map((content) => [content, given.filter((one) => one.content === content).length])
  return { total_count: given.length, ...Object.fromEntries(counts) }
}

/** GitHub's issue-comment: a pull request's conversation consists of these. */
export const commentBody = (world: World, comment: Comment) => {
  const repo = `${world.urls.api}/repos/${fullName(comment.repository)}`
  const page = `${world.urls.web}/${fullName(comment.repository)}/pull/${comment.number}`
  const url = `${repo}/issues/comments/${comment.id}`
  return {
    id: comment.id,
    node_id: nodeId('IC', comment.id),
    url,
    html_url: `${page}#issuecomment-${comment.id}`,
    issue_url: `${repo}/issues/${comment.number}`,
    user: accountBody(world, comment.author),
    body: comment.body,
    created_at: stamp(comment.createdAt),
    updated_at: stamp(comment.updatedAt),
    author_association: comment.viaApp ? 'NONE' : 'CONTRIBUTOR',
    performed_via_github_app: comment.viaApp ? appBody(world) : null,
    reactions: { url: `${url}/reactions`, ...reactionCounts(world, comment) },
  }
}
