import type { Changes } from '#emulator/git/commits.ts'
import { reviewsOf } from '#emulator/people/approvers.ts'
import { enqueue } from '#emulator/people/merge-queue.ts'
import { type PlayedRun, playWorkflowRun } from '#emulator/people/play-workflow-run.ts'
import {
  closePullRequest,
  mergePullRequest,
  pushToPullRequest,
  reopenPullRequest,
  retarget,
  retitle,
  setDraft,
} from '#emulator/people/pull-requests.ts'
import { react } from '#emulator/people/react.ts'
import { requestCheckAction, rerequestCheck, rerequestSuite } from '#emulator/people/rerequest.ts'
import { dismissReview, submitReview, type Verdict } from '#emulator/people/reviews.ts'
import { deleteComment, editComment, writeComment } from '#emulator/people/write-comment.ts'
import type { ReactionContent, Review } from '#emulator/people-records.ts'
import type { Account, CheckRun, Comment, PullRequest, WorkflowRun } from '#emulator/records.ts'
import { accountOf, reactionsTo } from '#emulator/store.ts'
import type { World } from '#emulator/world.ts'
import { type QueuedHandle, queuedHandle } from './queued-handle.ts'

/** A pull request, and what people do with it on its page. */
export type PullRequestHandle = {
  id: number
  number: number
  url: string
  /** Its current state: state, shas, merge. */
  now(): Readonly<PullRequest>
  headSha(): string
  push(changes: Changes, options?: { message?: string; author?: string }): Promise<string>
  /** By the author, unless a login is given; likewise below. */
  close(by?: string): Promise<void>
  reopen(by?: string): Promise<void>
  /** Resolves with the merge commit. */
  merge(by?: string): Promise<string>
  /** Puts it in the merge queue, on top of its base or behind another. */
  enqueue(options?: { by?: string; behind?: QueuedHandle }): Promise<QueuedHandle>
  /** Into another branch. */
  retarget(branch: string, by?: string): Promise<void>
  retitle(title: string, by?: string): Promise<void>
  /** Throws if nothing changes. */
  setDraft(draft: boolean, by?: string): Promise<void>
  /** Of the current head. Throws if the author approves or asks for changes. */
  review(by: string, verdict: Verdict, body?: string): Readonly<Review>
  dismissReview(id: number, by: string): void
  /** Oldest first. */
  reviews(): Readonly<Review>[]
  comment(body: string, by?: string): Comment
  editComment(id: number, body: string, by?: string): void
  deleteComment(id: number, by?: string): void
  comments(): Readonly<Comment>[]
  react(commentId: number, content: ReactionContent, by?: string): void
  reactions(commentId: number): { by: string; content: ReactionContent }[]
  /** The emulated app's check runs, at the head unless a sha is given, oldest first; without those of Actions' jobs. */
  checkRuns(sha?: string): Readonly<CheckRun>[]
  /** 'Re-run' of one check, by id. */
  rerequestCheck(id: number, by?: string): void
  /** 'Re-run all checks' of the app at the head. */
  rerequestChecks(by?: string): Promise<void>
  /** A button that the app put on a check. */
  requestCheckAction(id: number, identifier: string, by?: string): void
  workflowRuns(): Readonly<WorkflowRun>[]
  /** A workflow run whose jobs the caller plays. */
  playWorkflowRun(options?: { path?: string; name?: string }): Promise<PlayedRun>
  /** Deletes the fork that it comes from: its head then has no repository. */
  deleteFork(): void
}

export const pullRequestHandle = (world: World, pull: PullRequest): PullRequestHandle => {
  const { repository, number } = pull
  const { store } = world
  const by = (login: string | undefined): Account =>
    login === undefined ? pull.author : accountOf(store, login, 'User', world.clock())
  const known = <T>(kind: string, things: Map<number, T>, id: number): T => {
    const found = things.get(id)
    if (!found) throw new Error(`there is no ${kind} ${id}`)
    return found
  }
  const commentOf = (id: number): Comment => known('comment', store.comments, id)
  const checkOf = (id: number): CheckRun => known('check run', store.checkRuns, id)
  return {
    id: pull.id,
    number,
    url: `${world.urls.web}/${repository.owner.login}/${repository.name}/pull/${number}`,
    now: () => ({ ...pull }),
    headSha: () => pull.headSha,
    push: async (changes, options = {}) => {
      await pushToPullRequest(world, pull, { changes, ...options })
      return pull.headSha
    },
    close: (login) => closePullRequest(world, pull, by(login)),
    reopen: (login) => reopenPullRequest(world, pull, by(login)),
    merge: (login) => mergePullRequest(world, pull, by(login)),
    enqueue: async ({ by: login, behind } = {}) =>
      queuedHandle(world, await enqueue(world, pull, by(login), behind?.group), by(login)),
    retarget: (branch, login) => retarget(world, pull, branch, by(login)),
    retitle: (title, login) => retitle(world, pull, title, by(login)),
    setDraft: (draft, login) => setDraft(world, pull, draft, by(login)),
    review: (login, verdict, body = '') => submitReview(world, pull, { author: by(login), verdict, body }),
    dismissReview: (id, login) => dismissReview(world, known('review', store.reviews, id), by(login)),
    reviews: () => reviewsOf(world, pull),
    comment: (body, login) => writeComment(world, pull, { author: by(login), body, viaApp: false }),
    editComment: (id, body, login) => editComment(world, { pull, comment: commentOf(id), body, sender: by(login) }),
    deleteComment: (id, login) => deleteComment(world, pull, commentOf(id), by(login)),
    comments: () =>
      [...store.comments.values()].filter((one) => one.repository === repository && one.number === number),
    react: (id, content, login) => {
      react(world, commentOf(id), by(login), content)
    },
    reactions: (id) =>
      reactionsTo(world.store, commentOf(id)).map(({ author, content }) => ({ by: author.login, content })),
    checkRuns: (sha = pull.headSha) =>
      [...store.checkRuns.values()].filter(
        (check) => check.repository === repository && check.headSha === sha && check.suite.app === 'app',
      ),
    rerequestCheck: (id, login) => rerequestCheck(world, checkOf(id), by(login)),
    rerequestChecks: async (login) => {
      const suite = [...store.checkSuites.values()].find(
        (one) => one.repository === repository && one.headSha === pull.headSha && one.app === 'app',
      )
      if (!suite) throw new Error(`no check suite of the app is at ${pull.headSha}`)
      await rerequestSuite(world, suite, by(login))
    },
    requestCheckAction: (id, identifier, login) => requestCheckAction(world, checkOf(id), identifier, by(login)),
    workflowRuns: () => [...store.workflowRuns.values()].filter((run) => run.pull === pull),
    playWorkflowRun: (options) => playWorkflowRun(world, pull, options),
    deleteFork: () => {
      if (pull.headRepository === repository) throw new Error(`pull request #${number} comes from no fork`)
      pull.headRepository = undefined
    },
  }
}
