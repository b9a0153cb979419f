import { randomUUID } from 'node:crypto'
import { appendFile, stat } from 'node:fs/promises'
import type { Environment } from '../environment.ts'

/** A step's summary may have 1 MiB (docs.github.com, 'Workflow commands for GitHub Actions'); more fails the step. */
const MAX_SUMMARY_BYTES = 1024 * 1024

/**
 * Sets outputs of the step for later steps and jobs; outside a job nothing is written. Each value is put between lines that
 * cannot be guessed, so no value ends early and sets another output.
 */
export const setOutputs = async ({ github }: Environment, outputs: Record<string, string>): Promise<void> => {
  if (github.output === undefined) return
  const blocks = Object.entries(outputs).map(([name, value]) => {
    const end = `end-${randomUUID()}`
    return `${name}<<${end}\n${value}\n${end}\n`
  })
  await appendFile(github.output, blocks.join(''))
}

/** Appends Markdown to the step's summary. If the summary would become too large, a note says so instead. */
export const addSummary = async ({ github }: Environment, markdown: string): Promise<void> => {
  if (github.stepSummary === undefined) return
  const before = await stat(github.stepSummary).catch(() => undefined)
  const room = MAX_SUMMARY_BYTES - (before?.size ?? 0)
  const note = "The rest would make this page too large: the job's log has it.\n"
  const text = `${markdown}\n`
  if (Buffer.byteLength(text) + note.length < room) await appendFile(github.stepSummary, text)
  else if (note.length < room) await appendFile(github.stepSummary, note)
}
