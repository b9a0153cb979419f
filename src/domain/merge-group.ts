/** What the code host's merge queue tests before it merges: a pull request on top of its base and of those queued before it. */
export type MergeGroup = {
  /** The branch that the queue made for it. */
  branch: string
  /** The branch that it is to be merged into. */
  baseRef: string
  /** The last pull request of the group. */
  prNumber: number
}

/** The queue names its branches so (GitHub Docs, 'Managing a merge queue'); a person cannot push to one. */
const queued = /^refs\/heads\/(gh-readonly-queue\/(.{1,240})\/pr-([1-9]\d{0,9})-[0-9a-f]{40,64})$/

/** The merge group of a full ref, such as `refs/heads/gh-readonly-queue/main/pr-12-<sha>`; undefined for any other ref. */
export const readMergeGroup = (ref: string): MergeGroup | undefined => {
  const [, branch, baseRef, number] = queued.exec(ref) ?? []
  return branch === undefined || baseRef === undefined ? undefined : { branch, baseRef, prNumber: Number(number) }
}

/** The same of the branch's own name, as rows keep it. */
export const mergeGroupOf = (branch: string): MergeGroup | undefined => readMergeGroup(`refs/heads/${branch}`)
