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
    comment_digest: z.string().nullable(),
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
    commentDigest: row.comment_digest,
  }))

export type PullRequestRow = z.infer<typeof PullRequestRow>

export type PullRequestFacts = Omit<PullRequestRow, 'commentId' | 'commentDigest'>

/**
 * Writes what the code host said of a pull request when asked at `asOf`, and keeps its row locked to the end of the
 * transaction: opening a run, starting an apply and closing all take this row first, so that two heads cannot race. What
 * was learned later stays: the row comes back as it is then.
 */
export const putPullRequest = (tx: Tx, pull: PullRequestFacts, asOf: Date): Promise<PullRequestRow> => {
  const at = asOf.toISOString()
  return tx.one(sql.type(PullRequestRow)`
    insert into pull_requests as p (repo_id, number, state, merged, head_sha, base_ref, base_sha, author, read_at)
    values (${pull.repoId}, ${pull.number}, ${pull.state}, ${pull.merged}, ${pull.headSha}, ${pull.baseRef},
      ${pull.baseSha}, ${pull.author}, ${at})
    on conflict (repo_id, number) do update set
      state = case when p.read_at > ${at} then p.state else excluded.state end,
      merged = case when p.read_at > ${at} then p.merged else excluded.merged end,
      head_sha = case when p.read_at > ${at} then p.head_sha else excluded.head_sha end,
      base_ref = case when p.read_at > ${at} then p.base_ref else excluded.base_ref end,
      base_sha = case when p.read_at > ${at} then p.base_sha else excluded.base_sha end,
      read_at = greatest(p.read_at, excluded.read_at)
    returning repo_id, number, state, merged, head_sha, base_ref, base_sha, author, comment_id, comment_digest`)
}

export const findPullRequest = async (
  db: Reader,
  repoId: number,
  number: number,
): Promise<PullRequestRow | undefined> =>
  (await db.maybeOne(
    sql.type(PullRequestRow)`
      select repo_id, number, state, merged, head_sha, base_ref, base_sha, author, comment_id, comment_digest from pull_requests where repo_id = ${repoId} and number = ${number}`,
  )) ?? undefined

/** The one comment of a pull request, and what it says now. */
export const setComment = async (
  db: Reader,
  pull: { repoId: number; number: number },
  comment: { id: number; digest: string },
): Promise<void> => {
  await db.query(sql.type(z.object({}))`
    update pull_requests set comment_id = ${comment.id}, comment_digest = ${comment.digest}
    where repo_id = ${pull.repoId} and number = ${pull.number}`)
}
