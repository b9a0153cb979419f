import t from 'tap'
import { mergeGroupOf, readMergeGroup } from '#domain/merge-group.ts'

const sha = '929f8209d40f77f4abc622a499c93a83babdbe64'

t.test('a merge queue’s branch says which pull request it merges into which branch', async (t) => {
  for (const [branch, prNumber, baseRef] of [
    [`gh-readonly-queue/main/pr-104-${sha}`, 104, 'main'],
    [`gh-readonly-queue/release/1.x/pr-7-${sha}`, 7, 'release/1.x'],
    [`gh-readonly-queue/a/pr-1-x/pr-2-${sha}`, 2, 'a/pr-1-x'],
  ] as const) {
    t.same(readMergeGroup(`refs/heads/${branch}`), { branch, baseRef, prNumber }, branch)
    t.same(mergeGroupOf(branch), { branch, baseRef, prNumber })
  }
})

t.test('every other ref is none', async (t) => {
  for (const ref of [
    'refs/heads/main',
    `refs/tags/gh-readonly-queue/main/pr-1-${sha}`,
    `refs/heads/x/gh-readonly-queue/main/pr-1-${sha}`,
    `refs/heads/gh-readonly-queue/pr-1-${sha}`,
    `refs/heads/gh-readonly-queue/main/pr-0-${sha}`,
    `refs/heads/gh-readonly-queue/main/pr-1-${sha.slice(1)}`,
    `refs/heads/gh-readonly-queue/main/pr-1-${sha}/x`,
  ])
    t.equal(readMergeGroup(ref), undefined, ref)
})
