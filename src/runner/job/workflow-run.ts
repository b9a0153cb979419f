import type { CreateRunRequest } from '#api/runs/create-run.ts'
import type { Environment } from '../environment.ts'

const numberOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text))

/** The job's workflow run, as the service expects it. */
export const workflowRunOf = ({
  github,
}: Environment): Pick<CreateRunRequest, 'workflow_run_id' | 'workflow_run_attempt'> => ({
  workflow_run_id: numberOf(github.runId),
  workflow_run_attempt: numberOf(github.runAttempt),
})
