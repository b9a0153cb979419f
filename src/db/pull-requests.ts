import { z } from 'zod'
import { type Reader, sql, type Tx } from './sql.ts'

const PullRequestRow = z
  .object({
    repo_id: z.number(),
    number: z.number(),
    state: z.enum(['open', 'closed']),
    merged: z.boolean(),
    head_sha: z.string(),
    base_ref: z.string(),
    base_sha: z.string(),
    author: z.string(),
    comment_id: z.number().nullable(),
  })
  .transform((row) => ({
    repoId: row.repo_id,
    number: row.number,
    state: row.state,
    merged: row.merged,
    headSha: row.head_sha,
    baseRef: row.base_ref,
    baseSha: row.base_sha,
    author: row.author,
    commentId: row.comment_id,
  }))

export type PullRequestRow = z.infer<typeof PullRequestRow>

export type PullRequestFacts = Omit<PullRequestRow, 'commentId'>

/**
 * Writes what the code host says of a pull request and keeps its row locked to the end of the transaction: opening a run,
 * starting an apply and closing all take this row first, so that two heads cannot race.
 */
export const putPullRequest = (tx: Tx, pull: PullRequestFacts): Promise<PullRequestRow> =>
  tx.one(sql.type(PullRequestRow)`
    insert into pull_requests (repo_id, number, state, merged, head_sha, base_ref, base_sha, author)
    values (${pull.repoId}, ${pull.number}, ${pull.state}, ${pull.merged}, ${pull.headSha}, ${pull.baseRef}, ${pull.baseSha}, ${pull.author})
    on conflict (repo_id, number) do update set state = excluded.state, merged = excluded.merged,
      head_sha = excluded.head_sha, base_ref = excluded.base_ref, base_sha = excluded.base_sha,
      author = excluded.author, updated_at = now()
    returning *`)

export const findPullRequest = async (
  db: Reader,
  repoId: number,
  number: number,
): Promise<PullRequestRow | undefined> =>
  (await db.maybeOne(
    sql.type(PullRequestRow)`select * from pull_requests where repo_id = ${repoId} and number = ${number}`,
  )) ?? undefined

export const setComment = async (tx: Reader, repoId: number, number: number, commentId: number): Promise<void> => {
  await tx.query(sql.type(z.object({}))`
    update pull_requests set comment_id = ${commentId} where repo_id = ${repoId} and number = ${number}`)
}
