import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { mustSucceed, type StackWork } from './run-tool.ts'

const STACK_FILE = 'terragrunt.stack.hcl'
const GENERATED = '.terragrunt-stack'

/** The outermost directory with a stack file above a unit: what it generates holds the stack files of those within. */
const stackDirectory = (root: string, path: string): string | undefined => {
  const segments = path.split('/')
  for (let depth = 0; depth < segments.length; depth += 1) {
    const directory = join(root, ...segments.slice(0, depth))
    if (existsSync(join(directory, STACK_FILE))) return directory
  }
  return undefined
}

/** Has Terragrunt write a unit that a stack file generates. One that the checkout has already may be of another commit. */
export const generateStack = async (stack: StackWork): Promise<void> => {
  const { job, tool } = stack
  if (job.tool !== 'terragrunt') return
  const { path, directory } = job
  if (!path.split('/').includes(GENERATED) && existsSync(join(directory, 'terragrunt.hcl'))) return
  const root = resolve(directory, path === '.' ? '.' : path.replaceAll(/[^/]+/g, '..'))
  const from = stackDirectory(root, path)
  if (from !== undefined) await mustSucceed(stack, 'stack generate', (relay) => tool.generate(from, relay))
}
