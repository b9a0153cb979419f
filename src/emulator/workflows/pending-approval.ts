import type { Environment, WorkflowRun } from '#emulator/records.ts'

/** A job that waits for a reviewer to let it into its environment. */
export type PendingApproval = {
  run: WorkflowRun
  jobId: number
  environment: Environment
  decide(approved: boolean): void
}
