import { z } from 'zod'
import type { Review } from '#domain/gate/facts.ts'
import type { RepoRef } from '../port.ts'
import { type Calls, inRepo, longTexts } from './client/calls.ts'

// https://docs.github.com/rest/pulls/reviews: chronological. A review still being written has no submitted_at.
const ReviewsAnswer = z.array(
  z.object({
    user: z.object({ login: z.string(), type: z.string().default('User') }).nullable(),
    state: z.string(),
    commit_id: z.string().nullable().default(null),
    submitted_at: z.string().nullable().default(null),
  }),
)

/** Every review of a pull request, of all its commits and people: the gate decides which of them count. */
export const listReviews = async (calls: Calls, repo: RepoRef, number: number): Promise<Review[]> => {
  const reviews: Review[] = []
  const pages = calls.pages(
    {
      act: `listing the reviews of pull request ${number} of ${repo.owner}/${repo.name}`,
      route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews',
      ...inRepo(repo, { pull_number: number }),
      perPage: longTexts,
    },
    ReviewsAnswer,
  )
  for await (const page of pages) {
    for (const { user, state, commit_id, submitted_at } of page) {
      const by = { login: user?.login ?? null, bot: user?.type === 'Bot' }
      reviews.push({ ...by, state, commitId: commit_id, submittedAt: submitted_at })
    }
  }
  return reviews
}
