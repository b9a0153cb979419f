import { basename } from 'node:path'
import type { ToolName } from './scan/facts/directories.ts'

/** Which tool a program is, by its name. */
export const toolNamed = (program: string): ToolName => {
  const name = basename(program)
  return name.includes('terragrunt') ? 'terragrunt' : name.includes('tofu') ? 'tofu' : 'terraform'
}
