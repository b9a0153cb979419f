import type { Run } from '#api/runs/run.ts'
import { limits } from '#domain/limits.ts'
import { Problem } from '#errors.ts'
import type { Context } from '../command.ts'
import { workflowRunOf } from '../job/workflow-run.ts'
import { isUnreachable } from '../service/attempts.ts'
import { type Resolved, resolvedOf } from '../service/resolved.ts'
import type { Service } from '../service/service.ts'
import type { Gathered } from './gather.ts'

export type Registered = {
  /** Undefined if the service could not be reached for it. */
  runId: string | undefined
  runUrl: string | undefined
  /** Undefined if the service could not be reached. */
  answer: Resolved | undefined
}

/** The JSON text of the upload. Throws a Problem if the service would not accept it, before anything is sent. */
const uploadBody = ({ graph, changedPaths, baseSha, config, stacks }: Gathered): string => {
  const body = JSON.stringify({
    graph,
    changed_paths: changedPaths,
    base_sha: baseSha,
    config,
    ...(stacks === undefined ? {} : { stacks }),
  })
  const bytes = Buffer.byteLength(body)
  if (bytes <= limits.graphBodyBytes) return body
  const megabytes = (bytes / 1024 / 1024).toFixed(1)
  throw new Problem(
    'invalid',
    `the graph is too large: ${graph.stacks.length} stacks, ${graph.edges.length} edges and ${changedPaths.length} changed paths make ${megabytes} MB, but the service accepts 8 MB. Narrow discover.include in svc.yml`,
  )
}

/** Nothing is left to plan: the run says why in a warning. */
const plannedAlready = ({ id, warnings }: Run): Resolved =>
  resolvedOf({ run_id: id, cached: true, ...(warnings === undefined ? {} : { warnings }) })

/** Registers the pull request's run and uploads its graph. A service that cannot be reached is not a Problem here. */
export const register = async (
  service: Service,
  gathered: Gathered,
  prNumber: number,
  { environment, output }: Context,
): Promise<Registered> => {
  const body = uploadBody(gathered)
  let run: { id: string; url: string } | undefined
  try {
    output.progress('registering the run')
    const opened = await service.openRun({
      repo: gathered.graph.repo,
      sha: gathered.sha,
      base_sha: gathered.baseSha,
      pr_number: prNumber,
      mode: 'plan',
      trigger: 'pull_request',
      ...workflowRunOf(environment),
    })
    run = { id: opened.run_id, url: opened.run.html_url }
    if (opened.run.merge_group !== undefined && opened.status === 'planned')
      return { runId: run.id, runUrl: run.url, answer: plannedAlready(opened.run) }
    output.progress(`uploading the graph, ${Math.ceil(Buffer.byteLength(body) / 1024)} KB`)
    const answer = await service.uploadGraph(run.id, body)
    return { runId: run.id, runUrl: run.url, answer }
  } catch (error) {
    if (!isUnreachable(error)) throw error
    output.warn(`${error.message}. Going on with the client's own answer, which is unconfirmed`)
    return { runId: run?.id, runUrl: run?.url, answer: undefined }
  }
}
