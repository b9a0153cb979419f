import { z } from 'zod'
import { nothing, type Reader, sql, type Tx } from '../sql.ts'
import { ofRepository } from '../tenant.ts'

const PullRequestRow = z.object({
  repo_id: z.number(),
  number: z.number(),
  /** As the code host last said it; null for one that was not read since titles are kept. */
  title: z.string().nullable(),
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

export type PullRequestRow = z.infer<typeof PullRequestRow>

type PullRequestFacts = Omit<PullRequestRow, 'comment_id' | 'comment_digest' | 'merged_at'> & {
  merged_at: string | null
}

const columns = sql.fragment`
  p.repo_id, p.number, p.title, p.state, p.merged_at, p.merge_commit_sha, p.head_sha, p.base_ref, p.base_sha, p.author, p.comment_id,
  p.comment_digest`

/**
 * Writes what the code host said of a pull request when asked at `asOf`, and keeps its row locked to the end of the
 * transaction: opening a run, starting an apply and closing all take this row first, so two heads cannot race. What was
 * learned later stays: the row is returned as it is then.
 */
export const putPullRequest = (tx: Tx, pull: PullRequestFacts, asOf: Date): Promise<PullRequestRow> => {
  const at = asOf.toISOString()
  return tx.one(sql.type(PullRequestRow)`
    insert into pull_requests as p (installation_id, repo_id, number, title, state, merged_at, merge_commit_sha, head_sha, base_ref, base_sha,
      author, read_at)
    values (${ofRepository(tx, pull.repo_id)}, ${pull.repo_id}, ${pull.number}, ${pull.title}, ${pull.state}, ${pull.merged_at}, ${pull.merge_commit_sha},
      ${pull.head_sha}, ${pull.base_ref}, ${pull.base_sha}, ${pull.author}, ${at})
    on conflict (installation_id, repo_id, number) do update set
      title = case when p.read_at > ${at} then p.title else excluded.title end,
      state = case when p.read_at > ${at} then p.state else excluded.state end,
      merged_at = case when p.read_at > ${at} then p.merged_at else excluded.merged_at end,
      merge_commit_sha = coalesce(excluded.merge_commit_sha, p.merge_commit_sha),
      head_sha = case when p.read_at > ${at} then p.head_sha else excluded.head_sha end,
      base_ref = case when p.read_at > ${at} then p.base_ref else excluded.base_ref end,
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
    select ${columns} from pull_requests p
    where p.installation_id = ${ofRepository(db, repoId)} and p.repo_id = ${repoId} and p.number = ${number}`)) ??
  undefined

/** The same, with the row locked to the end of the transaction: take it before any run of the pull request. */
export const lockPullRequest = async (tx: Tx, repoId: number, number: number): Promise<PullRequestRow | undefined> =>
  (await tx.maybeOne(sql.type(PullRequestRow)`
    select ${columns} from pull_requests p
    where p.installation_id = ${ofRepository(tx, repoId)} and p.repo_id = ${repoId} and p.number = ${number}
    for no key update`)) ?? undefined

/** Every pull request known to be open. */
export const openPullRequests = (db: Reader): Promise<readonly PullRequestRow[]> =>
  db.any(sql.type(PullRequestRow)`
    select ${columns} from pull_requests p where p.state = 'open' order by p.repo_id, p.number`)

const NumberRow = z.object({ number: z.number() })

/** The given numbers that are known here. */
export const pullRequestsNumbered = async (db: Reader, repoId: number, numbers: number[]): Promise<number[]> => {
  const rows = await db.any(sql.type(NumberRow)`
    select number from pull_requests where installation_id = ${ofRepository(db, repoId)} and repo_id = ${repoId}
      and number = any(${sql.array(numbers, 'int4')})`)
  return rows.map((row) => row.number)
}

/** Notes the one comment of a pull request, and what it says now. */
export const setComment = async (
  db: Reader,
  pull: Pick<PullRequestRow, 'repo_id' | 'number'>,
  comment: { id: number; digest: string },
): Promise<void> => {
  await db.query(sql.type(nothing)`
    update pull_requests set comment_id = ${comment.id}, comment_digest = ${comment.digest}
    where installation_id = ${ofRepository(db, pull.repo_id)} and repo_id = ${pull.repo_id} and number = ${pull.number}`)
}
