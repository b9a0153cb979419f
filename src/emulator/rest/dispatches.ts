import { z } from 'zod'
import { workflowBody } from '#emulator/bodies/workflow-run.ts'
import { fullName } from '#emulator/store.ts'
import { dispatchWorkflow } from '#emulator/workflows/dispatch.ts'
import { findWorkflow } from '#emulator/workflows/workflow-of.ts'
import { appBot } from './serving/app-bot.ts'
import type { RepositoryCall } from './serving/call.ts'
import { GitHubError, notFound } from './serving/errors.ts'
import { repositoryRoute } from './serving/route.ts'
import { parseBody } from './serving/validation.ts'

/** 10 on an Enterprise Server, and on github.com until December 2025. */
const maxProperties = 25

const dispatchSchema = z.object({
  ref: z.string(),
  inputs: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  return_run_details: z.boolean().optional(),
})

const workflowOf = async ({ world, repository, params }: RepositoryCall) => {
  const found = await findWorkflow(world, repository, params.workflow_id ?? '')
  if (!found) throw notFound()
  return found
}

const dispatch = async (call: RepositoryCall) => {
  const { world, repository } = call
  const workflow = await workflowOf(call)
  const given = parseBody('Workflow', dispatchSchema, call.body)
  const inputs = Object.fromEntries(Object.entries(given.inputs ?? {}).map(([name, value]) => [name, String(value)]))
  const count = Object.keys(inputs).length
  if (count > maxProperties) {
    const message = `No more than ${maxProperties} properties are allowed; ${count} were supplied.`
    throw new GitHubError(422, `Invalid request.\n\n${message}`)
  }
  const result = await dispatchWorkflow(world, workflow, { ref: given.ref, inputs, actor: appBot(world) })
  if ('refusal' in result) throw new GitHubError(422, result.refusal)
  if (!given.return_run_details) return { status: 204 }
  const path = `${fullName(repository)}/actions/runs/${result.runId}`
  const run_url = `${world.urls.api}/repos/${path}`
  return { body: { workflow_run_id: result.runId, run_url, html_url: `${world.urls.web}/${path}` } }
}

/** GitHub Docs, 'REST API endpoints for workflows'. */
export const dispatchRoutes = [
  repositoryRoute('GET', '/actions/workflows/{workflow_id}', ['actions', 'read'], async (call) => ({
    body: workflowBody(call.world, await workflowOf(call)),
  })),
  repositoryRoute('POST', '/actions/workflows/{workflow_id}/dispatches', ['actions', 'write'], dispatch),
]
