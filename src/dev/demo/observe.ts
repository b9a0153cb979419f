import { Run } from '#api/run.ts'
import type { PullRequestHandle } from '#emulator/handles.ts'
import type { CheckRun, WorkflowRun } from '#emulator/records.ts'
import type { Place } from './place.ts'

/** A commit of a pull request that is followed. */
export type Followed = { place: Place; pull: PullRequestHandle; sha: string }

export type SeenCheckRun = {
  name: string
  status: CheckRun['status']
  conclusion: string | null
  title: string
  /** Title and texts, as one. */
  text: string
  url: string
}

/** What can be seen of a commit from outside: on the code host, and of its run through the service's public API. */
export type Observation = {
  workflow: { status: WorkflowRun['status']; conclusion: string | null; url: string } | undefined
  /** As GET /v1/runs/{id} answers; the code host's check runs name it. */
  run: Run | undefined
  /** Of the service. */
  checkRuns: SeenCheckRun[]
  /** All comments of the pull request, whatever commit they speak of. */
  comments: { url: string; body: string }[]
}

export const observe = async (followed: Followed): Promise<Observation> => {
  const { place, pull, sha } = followed
  const home = `${place.hub.emulator.webUrl}/${place.hub.repository.fullName}`
  const workflow = pull.workflowRuns().findLast((one) => one.headSha === sha)
  const checkRuns = pull.checkRuns(sha)
  const runId = checkRuns.find(({ name }) => name === 'svc/plan')?.externalId
  return {
    workflow: workflow && {
      status: workflow.status,
      conclusion: workflow.conclusion,
      url: `${home}/actions/runs/${workflow.id}`,
    },
    run: runId === undefined ? undefined : await readRun(place, runId),
    checkRuns: checkRuns.map(({ id, name, status, conclusion, title, summary, text }) => ({
      name,
      status,
      conclusion,
      title: title ?? '',
      text: [title, summary, text].filter((part) => part !== null).join('\n'),
      url: `${home}/runs/${id}`,
    })),
    comments: pull.comments().map(({ id, body }) => ({ url: `${pull.url}#issuecomment-${id}`, body })),
  }
}

/** GET /v1/runs/{id} with the demo's API key; throws with what the service says against it. */
const readRun = async (place: Place, id: string): Promise<Run> => {
  const answer = await fetch(`${place.serviceUrl}/v1/runs/${id}`, {
    headers: { authorization: `Bearer ${place.apiKey}` },
  })
  if (!answer.ok) throw new Error(`reading run ${id}: ${answer.status} ${await answer.text()}`)
  return Run.parse(await answer.json())
}

/** Whether the run has ended and the code host shows it: every check run, and the comment where it is of this run. */
export const isSettled = ({ workflow, run, checkRuns, comments }: Observation): boolean => {
  if (workflow?.status !== 'completed' || run === undefined || isMoving(run)) return false
  const plan = checkRuns.find(({ name }) => name === 'svc/plan')
  const isShown = checkRuns.every(({ status }) => status === 'completed')
  // The comment shows the newest run of a pull request, which a superseded one is not.
  const isTold = run.status === 'superseded' || comments.some(({ body }) => tells(body, run.id, plan?.title))
  return isShown && isTold
}

const tells = (body: string, runId: string, title: string | undefined): boolean =>
  title !== undefined && body.includes(runId) && body.includes(title)

export const isMoving = (run: Run): boolean => ['pending', 'planning', 'applying'].includes(run.status)
