import type { Run } from '#api/runs/run.ts'
import { answerMarker } from '#domain/comments/command-answers.ts'
import { commentMarker } from '#domain/comments/pull-comment.ts'
import { isOpen } from '#domain/run-status.ts'
import type { PullRequestHandle } from '#emulator/handles.ts'
import type { CheckRun, Comment, WorkflowRun } from '#emulator/records.ts'
import type { Place } from './place.ts'
import { readRun } from './service-api.ts'

/** A run being followed: the plan or the apply of a commit of a pull request. */
export type Followed = {
  place: Place
  pull: PullRequestHandle
  sha: string
  mode: 'plan' | 'apply'
  /** Once it is known; until then the newest of the commit. */
  runId?: string
  /** An earlier run of the commit, not the one to follow. */
  notRunId?: string
}

export type SeenWorkflow = {
  id: number
  /** The wave that it was dispatched for, from 1; none for the workflow of the pull request. */
  wave: string | undefined
  status: WorkflowRun['status']
  conclusion: string | null
  url: string
}

export type SeenCheckRun = {
  name: string
  status: CheckRun['status']
  conclusion: string | null
  title: string
  /** Title and texts together. */
  text: string
  url: string
}

export type SeenComment = {
  id: number
  url: string
  author: string
  body: string
  /** The comment that shows the pull request's status, another one by the app, or a person's. */
  kind: 'overview' | 'answer' | 'said'
  reactions: string[]
}

/** What outsiders can see of a run: on the code host, and through the service's public API. */
export type Observation = {
  /** Of the pull request, or dispatched for the run; oldest first. */
  workflows: SeenWorkflow[]
  /** The body of GET /v1/runs/{id}; the code host's check runs name the id. */
  run: Run | undefined
  /** Made by the service for the run. */
  checkRuns: SeenCheckRun[]
  /** All comments of the pull request, about this run or not. */
  comments: SeenComment[]
}

export const observe = async (followed: Followed): Promise<Observation> => {
  const { place, pull } = followed
  const runId = followed.runId ?? newestRun(followed)
  return {
    workflows: workflowsOf(followed, runId),
    run: runId === undefined ? undefined : await readRun(place, runId),
    checkRuns: runId === undefined ? [] : checkRunsOf(followed, runId),
    comments: commentsOf(pull),
  }
}

const newestRun = ({ pull, sha, mode, notRunId }: Followed): string | undefined =>
  pull.checkRuns(sha).findLast(({ name, externalId }) => name === `svc/${mode}` && externalId !== notRunId)?.externalId

const homeOf = ({ hub }: Place): string => `${hub.emulator.webUrl}/${hub.repository.fullName}`

const workflowsOf = (followed: Followed, runId: string | undefined): SeenWorkflow[] => {
  const { place, pull, sha, mode, notRunId } = followed
  const isOfPush = mode === 'plan' && notRunId === undefined
  const ofPush = isOfPush ? pull.workflowRuns().findLast((one) => one.headSha === sha) : undefined
  const dispatched = place.hub.repository
    .workflowRuns()
    .map((one) => one.now())
    .filter(({ inputs }) => runId !== undefined && inputs.run_id === runId)
  return [...(ofPush ? [ofPush] : []), ...dispatched].map(({ id, status, conclusion, inputs }) => ({
    id,
    wave: inputs.wave === undefined ? undefined : shownWave(inputs.wave),
    status,
    conclusion,
    url: `${homeOf(place)}/actions/runs/${id}`,
  }))
}

/** Waves are counted from 0 in a dispatch and from 1 for people; a wave too large for one dispatch keeps its part. */
const shownWave = (wave: string): string => wave.replace(/^\d+/, (number) => String(Number(number) + 1))

const checkRunsOf = ({ place, pull, sha }: Followed, runId: string): SeenCheckRun[] =>
  pull
    .checkRuns(sha)
    .filter(({ externalId }) => externalId.split('/')[0] === runId)
    .map(({ id, name, status, conclusion, title, summary, text }) => ({
      name,
      status,
      conclusion,
      title: title ?? '',
      text: [title, summary, text].filter((part) => part !== null).join('\n'),
      url: `${homeOf(place)}/runs/${id}`,
    }))

export const commentsOf = (pull: PullRequestHandle): SeenComment[] =>
  pull.comments().map((comment) => ({
    id: comment.id,
    url: `${pull.url}#issuecomment-${comment.id}`,
    author: comment.author.login,
    body: comment.body,
    kind: kindOf(comment),
    reactions: pull.reactions(comment.id).map(({ content }) => content),
  }))

const kindOf = ({ viaApp, body }: Readonly<Comment>): SeenComment['kind'] => {
  if (!viaApp) return 'said'
  return body.startsWith(commentMarker) ? 'overview' : 'answer'
}

/** The app's answer to a command, by the id of its comment. */
export const answerTo = (pull: PullRequestHandle, commentId: number): SeenComment | undefined =>
  commentsOf(pull).find(({ body, kind }) => kind === 'answer' && body.includes(answerMarker(`comment ${commentId}`)))

/** Whether the run has ended and the code host shows it: every check run, and the comment if it is about this run. */
export const isSettled = ({ workflows, run, checkRuns, comments }: Observation): boolean => {
  if (workflows.length === 0 || workflows.some(({ status }) => status !== 'completed')) return false
  if (run === undefined || isMoving(run)) return false
  const rollUp = checkRuns.find(({ name }) => name === `svc/${run.mode}`)
  const isShown = checkRuns.every(({ status }) => status === 'completed')
  // The comment shows the newest run of a pull request, and a superseded run is not the newest.
  const isTold = run.status === 'superseded' || comments.some(({ body }) => tells(body, run.id, rollUp?.title))
  return isShown && isTold
}

const tells = (body: string, runId: string, title: string | undefined): boolean =>
  title !== undefined && body.includes(runId) && body.includes(title)

export const isMoving = (run: Run): boolean => isOpen(run.status)
