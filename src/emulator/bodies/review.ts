import type { Review } from '#emulator/people-records.ts'
import { fullName } from '#emulator/store.ts'
import type { World } from '#emulator/world.ts'
import { accountBody } from './account.ts'
import { nodeId, stamp } from './node-id.ts'

/** GitHub's pull-request-review. */
export const reviewBody = (world: World, review: Review) => {
  const { pull } = review
  const self = `${world.urls.api}/repos/${fullName(pull.repository)}/pulls/${pull.number}`
  const page = `${world.urls.web}/${fullName(pull.repository)}/pull/${pull.number}#pullrequestreview-${review.id}`
  return {
    id: review.id,
    node_id: nodeId('PRR', review.id),
    user: accountBody(world, review.author),
    body: review.body,
    state: review.state as string,
    html_url: page,
    pull_request_url: self,
    author_association: 'CONTRIBUTOR',
    _links: { html: { href: page }, pull_request: { href: self } },
    submitted_at: stamp(review.submittedAt),
    commit_id: review.commitId,
  }
}
