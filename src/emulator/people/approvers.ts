import type { Review } from '#emulator/people-records.ts'
import type { Account, PullRequest } from '#emulator/records.ts'
import type { World } from '#emulator/world.ts'

/** Oldest first. */
export const reviewsOf = (world: World, pull: PullRequest): Review[] =>
  [...world.store.reviews.values()].filter((review) => review.pull === pull)

/** Who approves the current head: each person's last review counts. */
export const approversOf = (world: World, pull: PullRequest): Account[] => {
  const weighty = reviewsOf(world, pull).filter((review) => review.state !== 'COMMENTED')
  const last = new Map(weighty.map((review) => [review.author, review]))
  return [...last.values()].filter((review) => review.state === 'APPROVED').map((review) => review.author)
}
