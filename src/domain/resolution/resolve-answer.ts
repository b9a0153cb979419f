import type { ExternalStack } from '#domain/graph/external-stacks.ts'
import type { Warning } from '#domain/texts/warnings.ts'
import type { MatrixEntry } from './matrix.ts'
import type { AffectedStack } from './resolution.ts'

/**
 * The answer to a job's upload (docs/interface.md, 'ResolveResponse'). Its text is kept with the run: a job that did not get
 * the answer sends the upload again, and gets the same answer. Empty lists are left out.
 */
export type ResolveAnswer = {
  run_id: string
  affected?: (Omit<AffectedStack, 'via'> & {
    via?: string[]
    locked_by?: { run_id: string; pr_number?: number }
  })[]
  waves?: string[][]
  matrix?: { include: MatrixEntry[] }
  cached: boolean
  warnings?: Warning[]
  cycles?: string[]
  external?: ExternalStack[]
}
