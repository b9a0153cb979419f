import { z } from 'zod'
import { type Reader, sql, type Tx } from './sql.ts'

const PullRequestRow = z
  .object({
    repo_id: z.number(),
    number: z.number(),
    state: z.enum(['open', 'closed']),
    merged_at: z.date().nullable(),
    merge_commit_sha: z.string().nullable(),
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
    mergedAt: row.merged_at,
    mergeCommitSha: row.merge_commit_sha,
    headSha: row.head_sha,
    baseRef: row.base_ref,
    baseSha: row.base_sha,
    author: row.author,
    commentId: row.comment_id,
    commentDigest: row.comment_digest,
  }))

export type PullRequestRow = z.infer<typeof PullRequestRow>

type PullRequestFacts = Omit<PullRequestRow, 'commentId' | 'commentDigest' | 'mergedAt'> & { mergedAt: string | null }

const columns = sql.fragment`
  p.repo_id, p.number, p.state, p.merged_at, p.merge_commit_sha, p.head_sha, p.base_ref, p.base_sha, p.author, p.comment_id,
  p.comment_digest`

/**
 * The time by the database, in milliseconds: what the code host says is stamped with when it was asked, and the clocks of
 * two instances may differ by more than lies between two pushes.
 */
export const timeOfDatabase = async (db: Reader): Promise<Date> => {
  const { at } = await db.one(sql.type(z.object({ at: z.date() }))`
    select date_trunc('milliseconds', clock_timestamp()) as at`)
  return at
}

/**
 * Writes what the code host said of a pull request when asked at `asOf`, and keeps its row locked to the end of the
 * transaction: opening a run, starting an apply and closing all take this row first, so that two heads cannot race. What
 * was learned later stays: the row comes back as it is then. Its base is moved only by whoever `follows` what that means
 * (commands/follow-pull-request.ts), and must see that it moved.
 */
export const putPullRequest = (
  tx: Tx,
  pull: PullRequestFacts,
  asOf: Date,
  follows = false,
): Promise<PullRequestRow> => {
  const at = asOf.toISOString()
  return tx.one(sql.type(PullRequestRow)`
    insert into pull_requests as p (repo_id, number, state, merged_at, merge_commit_sha, head_sha, base_ref, base_sha,
      author, read_at)
    values (${pull.repoId}, ${pull.number}, ${pull.state}, ${pull.mergedAt}, ${pull.mergeCommitSha}, ${pull.headSha},
      ${pull.baseRef}, ${pull.baseSha}, ${pull.author}, ${at})
    on conflict (repo_id, number) do update set
      state = case when p.read_at > ${at} then p.state else excluded.state end,
      merged_at = case when p.read_at > ${at} then p.merged_at else excluded.merged_at end,
      merge_commit_sha = coalesce(excluded.merge_commit_sha, p.merge_commit_sha),
      head_sha = case when p.read_at > ${at} then p.head_sha else excluded.head_sha end,
      base_ref = case when p.read_at > ${at} or not ${follows} then p.base_ref else excluded.base_ref end,
      base_sha = case when p.read_at > ${at} then p.base_sha else excluded.base_sha end,
      read_at = greatest(p.read_at, excluded.read_at)
    returning ${columns}`)
}

export const findPullRequest = async (
  db: Reader,
  repoId: number,
  number: number,
): Promise<PullRequestRow | undefined> =>
  (await db.maybeOne(sql.type(PullRequestRow)`
    select ${columns} from pull_requests p where p.repo_id = ${repoId} and p.number = ${number}`)) ?? undefined

/** The same, and keeps the row locked to the end of the transaction: before any run of the pull request. */
export const lockPullRequest = async (tx: Tx, repoId: number, number: number): Promise<PullRequestRow | undefined> =>
  (await tx.maybeOne(sql.type(PullRequestRow)`
    select ${columns} from pull_requests p where p.repo_id = ${repoId} and p.number = ${number}
    for no key update`)) ?? undefined

/** Every pull request that is open, as far as is known here. */
export const openPullRequests = (db: Reader): Promise<readonly PullRequestRow[]> =>
  db.any(sql.type(PullRequestRow)`
    select ${columns} from pull_requests p where p.state = 'open' order by p.repo_id, p.number`)

/** Those of these numbers that are known here. */
export const pullRequestsNumbered = async (db: Reader, repoId: number, numbers: number[]): Promise<number[]> => {
  const rows = await db.any(sql.type(z.object({ number: z.number() }))`
    select number from pull_requests where repo_id = ${repoId} and number = any(${sql.array(numbers, 'int4')})`)
  return rows.map((row) => row.number)
}

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
