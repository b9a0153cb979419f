import { simplePullBody } from '#emulator/bodies/pull-request.ts'
import { reviewBody } from '#emulator/bodies/review.ts'
import type { Review } from '#emulator/people-records.ts'
import type { Account } from '#emulator/records.ts'
import type { World } from '#emulator/world.ts'
import { emitFrom } from './events.ts'

/** States are in lower case here, an empty body is null, and the pull request lacks the fields that GitHub computes. */
export const emitReview = (world: World, review: Review, action: 'submitted' | 'dismissed', sender: Account): void => {
  const { pull } = review
  const body = reviewBody(world, review)
  const told = { ...body, state: body.state.toLowerCase(), body: body.body === '' ? null : body.body }
  const payload = { action, review: told, pull_request: simplePullBody(world, pull, null) }
  emitFrom(world, 'pull_request_review', payload, { repository: pull.repository, sender })
}
