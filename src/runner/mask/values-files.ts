import { readdirSync } from 'node:fs'
import type { StackJob } from '../job/stack-job.ts'

const AUTOMATIC = /^(?!\.)(?:terraform\.tfvars|.*\.auto\.tfvars)(?:\.json)?$/

/** The names in a directory, in order; none if it cannot be read. */
export const namesIn = (directory: string): string[] => {
  try {
    return readdirSync(directory).sort()
  } catch {
    return []
  }
}

/** The files of values that a plan of a stack reads, from its directory: found by their names, or given as -var-file. */
export const valuesFilesOf = ({ directory, varFiles }: Pick<StackJob, 'directory' | 'varFiles'>): string[] => [
  ...new Set([...namesIn(directory).filter((name) => AUTOMATIC.test(name)), ...varFiles]),
]
