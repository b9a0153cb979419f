import type { PullRequest } from '#codehost/port.ts'
import { type PullRequestRow, putPullRequest } from '#db/repositories/pull-requests.ts'
import type { Tx } from '#db/sql.ts'

type Recorded = Pick<
  PullRequest,
  'number' | 'title' | 'state' | 'mergedAt' | 'mergeCommitSha' | 'headSha' | 'baseRef' | 'baseSha' | 'author'
>

/**
 * Records what the code host said of a pull request when asked at `asOf`, and returns its row afterwards (`putPullRequest`).
 */
export const recordPullRequest = (
  tx: Tx,
  repoId: number,
  { number, title, state, author, ...pull }: Recorded,
  asOf: Date,
  follows = false,
): Promise<PullRequestRow> => {
  const row = {
    ...{ repo_id: repoId, number, title, state, author },
    merged_at: pull.mergedAt,
    merge_commit_sha: pull.mergeCommitSha,
    head_sha: pull.headSha,
    base_ref: pull.baseRef,
    base_sha: pull.baseSha,
  }
  return putPullRequest(tx, row, asOf, follows)
}
