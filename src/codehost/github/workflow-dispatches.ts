import { z } from 'zod'
import type { RepoRef, WorkflowDispatch } from '../port.ts'
import { type Calls, inRepo } from './client/calls.ts'

// https://docs.github.com/rest/actions/workflows, 'Create a workflow dispatch event': 200 with the run, or 204 and no body.
const DispatchAnswer = z.union([
  z.object({ workflow_run_id: z.number().int().positive() }),
  z.literal('').transform(() => undefined),
  z.undefined(),
])

/**
 * Starts a workflow. `namesRun`: whether this GitHub takes `return_run_details`, which Enterprise Server refuses as unknown;
 * in either case a 204 is a start too. Sent once: a second try after a lost answer would start a second run.
 */
export const dispatchWorkflow = async (
  calls: Calls,
  repo: RepoRef,
  { workflow, ref, inputs }: WorkflowDispatch,
  namesRun: boolean,
): Promise<number | undefined> => {
  const started = await calls.ask(
    {
      act: `dispatching ${workflow} of ${repo.owner}/${repo.name} on ${ref}`,
      route: 'POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches',
      ...inRepo(repo, {
        workflow_id: workflow,
        ref,
        inputs,
        ...(namesRun ? { return_run_details: true } : {}),
      }),
      once: true,
    },
    DispatchAnswer,
  )
  return started?.workflow_run_id
}
