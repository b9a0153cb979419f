import type { PullRequest } from '#codehost/port.ts'
import { lockPullRequest, type PullRequestRow, putPullRequest } from '#db/repositories/pull-requests.ts'
import type { Repository } from '#db/repositories/repositories.ts'
import type { Tx } from '#db/sql.ts'

export type Recorded = Pick<
  PullRequest,
  'number' | 'title' | 'state' | 'mergedAt' | 'mergeCommitSha' | 'headSha' | 'baseRef' | 'baseSha' | 'author'
>

/** What is known of a pull request now, and what was known before this read. */
export type News = { repository: Repository; before: PullRequestRow | undefined; now: PullRequestRow }

/**
 * Records what the code host said of a pull request when asked at `asOf`; `now` is its row afterwards (`putPullRequest`). Whoever
 * records it follows it, too (`learnPullRequest` does both): what is recorded is no news to anybody later, and an apply of an older
 * head would go on.
 */
export const recordPullRequest = async (
  tx: Tx,
  repository: Repository,
  { number, title, state, author, ...pull }: Recorded,
  asOf: Date,
): Promise<News> => {
  const before = await lockPullRequest(tx, repository.id, number)
  const row = {
    ...{ repo_id: repository.id, number, title, state, author },
    merged_at: pull.mergedAt,
    merge_commit_sha: pull.mergeCommitSha,
    head_sha: pull.headSha,
    base_ref: pull.baseRef,
    base_sha: pull.baseSha,
  }
  return { repository, before, now: await putPullRequest(tx, row, asOf) }
}
