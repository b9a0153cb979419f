import type { Review, ReviewState } from '#emulator/people-records.ts'
import type { Account, PullRequest } from '#emulator/records.ts'
import { emitReview } from '#emulator/webhooks/review-events.ts'
import type { World } from '#emulator/world.ts'

export type Verdict = 'approve' | 'request_changes' | 'comment'

const states: Record<Verdict, ReviewState> = {
  approve: 'APPROVED',
  request_changes: 'CHANGES_REQUESTED',
  comment: 'COMMENTED',
}

/** Submits a review of the pull request's head. Authors cannot approve or refuse their own; everybody else who can read may. */
export const submitReview = (
  world: World,
  pull: PullRequest,
  wanted: { author: Account; verdict: Verdict; body: string },
): Review => {
  const { author, verdict, body } = wanted
  if (author === pull.author && verdict !== 'comment') {
    throw new Error(`${author.login} cannot ${verdict} their own pull request`)
  }
  const review: Review = {
    id: world.store.newId(),
    pull,
    author,
    body,
    state: states[verdict],
    commitId: pull.headSha,
    submittedAt: world.clock(),
  }
  world.store.reviews.set(review.id, review)
  emitReview(world, review, 'submitted', author)
  return review
}

/** Dismisses an approval or a refusal, which then no longer counts; the review stays on record. */
export const dismissReview = (world: World, review: Review, sender: Account): void => {
  if (review.state !== 'APPROVED' && review.state !== 'CHANGES_REQUESTED') {
    throw new Error(`review ${review.id} is ${review.state}: there is nothing to dismiss`)
  }
  review.state = 'DISMISSED'
  emitReview(world, review, 'dismissed', sender)
}
