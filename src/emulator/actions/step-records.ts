import type { JobConclusion, StepRecord } from './contract.ts'

/** The steps of a job for its listing, numbered from 1, sent whole at each change. */
export type StepRecords = {
  begin(name: string): void
  /** Completes the step that began last. */
  end(conclusion: JobConclusion): void
}

export const createStepRecords = (report: (steps: StepRecord[]) => void): StepRecords => {
  let steps: StepRecord[] = []
  const set = (next: StepRecord[]) => {
    steps = next
    report(steps)
  }
  return {
    begin: (name) => set([...steps, { number: steps.length + 1, name, status: 'in_progress', conclusion: null }]),
    end: (conclusion) =>
      set(steps.map((step) => (step.status === 'completed' ? step : { ...step, status: 'completed', conclusion }))),
  }
}
