import { existsSync } from 'node:fs'
import type { StackResult } from '#domain/result.ts'
import { tooOld } from './dialect.ts'
import { Failed } from './failed.ts'
import { generateStack } from './generate-stack.ts'
import { initTrying } from './init-retries.ts'
import { reportedBackend } from './reported-backend.ts'
import { mustSucceed, runTool, type StackWork, toolFailure } from './run-tool.ts'

/** Whether a version is the pinned one, or belongs to it: 1.11.4 is a 1.11. */
export const versionFits = (wanted: string, version: string): boolean =>
  version === wanted || version.startsWith(`${wanted}.`)

/**
 * One that is too old is not run. A plan goes on with another version than the pinned one; an apply would write a state that the
 * pinned one cannot read.
 */
const checkVersion = ({ job, output }: StackWork, version: string | undefined, writesState: boolean): void => {
  const { toolVersion: wanted, key, program } = job
  if (version === undefined) return
  const old = tooOld(job.tool, program, version)
  if (old !== undefined) throw new Failed('failure', `${old}: install a newer one in a step before svc's`)
  if (wanted === undefined || versionFits(wanted, version)) return
  const said = `${key} is pinned to ${job.tool} ${wanted}, but ${program} is ${version}`
  if (writesState) throw new Failed('failure', `${said}: nothing is applied`)
  output.warn(said)
}

const initialise = async (stack: StackWork): Promise<void> => {
  const { job, tool, stop, output } = stack
  const ended = await initTrying({
    run: () => runTool(stack, 'init', (relay) => tool.init(relay)),
    retries: job.initRetries,
    goesOn: () => stop.reason() === undefined,
    pause: (ms) => stop.pause(ms),
    tell: (message) => output.warn(`${job.key}: ${message}`),
  })
  if (ended.code !== 0) throw toolFailure(stack, 'init', ended)
}

/**
 * Prepares the tool in the stack's directory: the commands before init, init, and its workspace. What becomes known on the way (tool,
 * version, backend) is put into `known`, so a failure is reported with it.
 */
export const prepareStack = async (
  stack: StackWork,
  known: Partial<StackResult>,
  { writesState }: { writesState: boolean },
): Promise<void> => {
  const { job, tool } = stack
  const version = await tool.version()
  Object.assign(known, { tool: job.tool, ...(version === undefined ? {} : { tool_version: version }) })
  checkVersion(stack, version, writesState)
  await generateStack(stack)
  if (!existsSync(job.directory)) throw new Failed('failure', `the checkout has no directory ${job.path}`)
  for (const { line, run } of tool.beforeInit) await mustSucceed(stack, `before_init: ${line}`, run)
  stack.masks.learn()
  await initialise(stack)
  const backend = tool.backend()
  // Where Terragrunt runs without a backend of its own, it is not known here which one the code has.
  if (backend !== undefined || job.tool !== 'terragrunt') known.backend = reportedBackend(job, backend)
  const { workspace } = job
  if (workspace !== undefined)
    await mustSucceed(stack, `workspace select ${workspace}`, (relay) => tool.selectWorkspace(workspace, relay))
}
