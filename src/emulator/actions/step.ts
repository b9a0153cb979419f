import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { resolveAction } from './actions.ts'
import type { Cancellation } from './cancellation.ts'
import { createCommandFiles } from './command-files.ts'
import { fillText, holds } from './expressions/template.ts'
import { type JobScope, type StepOutcome, type StepResult, stepEnvironment, stepScope } from './job-scope.ts'
import { type Exit, runProcess } from './process-group.ts'
import { createStepStop } from './step-stop.ts'
import { fillFlag, fillTexts } from './workflow/fill-in.ts'
import type { Step } from './workflow/schema.ts'

type Texts = Record<string, string>

/** The running step: its number in its job, its own `env` filled in, and the signal that ends it. */
type Running = { scope: JobScope; step: Step; index: number; env: Texts; stop: AbortSignal; kill: AbortSignal }

/**
 * Command of a shell. Without `shell` there is no pipefail: bash has it only if it is named. Source: docs.github.com,
 * 'Workflow syntax', jobs.<job_id>.steps[*].shell.
 */
const shellCommand = (shell: string | undefined, script: string): string[] => {
  if (shell === undefined) return ['bash', '-e', script]
  if (shell === 'bash') return ['bash', '--noprofile', '--norc', '-eo', 'pipefail', script]
  if (shell === 'sh') return ['sh', '-e', script]
  if (!shell.includes('{0}')) throw new Error(`shell '${shell}' is not supported by this emulator`)
  return shell.split(/\s+/).map((word) => word.replaceAll('{0}', script))
}

/** A setting of `defaults.run`: the step's own, else the job's, else the workflow's. */
const runSetting = ({ scope, step, env }: Running, name: 'shell' | 'working-directory'): string | undefined => {
  const text = step[name] ?? scope.job.defaults?.run[name] ?? scope.workflow.defaults?.run[name]
  return text === undefined ? undefined : fillText(text, stepScope(scope, env)) || undefined
}

const announce = (scope: JobScope, title: string, lines: string[], env: Texts): void => {
  scope.log.write(`##[group]Run ${title}`)
  for (const line of lines) scope.log.write(line)
  const shown = Object.entries({ ...scope.env, ...env })
  if (shown.length > 0) scope.log.write('env:')
  for (const [name, value] of shown) scope.log.write(`  ${name}: ${value}`)
  scope.log.write('##[endgroup]')
}

const exitText = ({ code, signal }: Exit): string =>
  code === null ? `ended by ${signal}` : `completed with exit code ${code}`

const workingDirectory = async (running: Running): Promise<string> => {
  const directory = resolve(running.scope.workspace, runSetting(running, 'working-directory') ?? '.')
  if (!(await stat(directory).catch(() => undefined))?.isDirectory())
    throw new Error(`working-directory '${directory}' does not exist`)
  return directory
}

const runScript = async (running: Running, text: string): Promise<Texts> => {
  const { scope, index, env, stop, kill } = running
  const control = join(scope.control, `step-${index}`)
  const files = await createCommandFiles(control)
  const script = join(control, 'script.sh')
  const lines = fillText(text, stepScope(scope, env)).trimEnd().split('\n')
  await writeFile(script, `${lines.join('\n')}\n`)
  const [command = '', ...args] = shellCommand(runSetting(running, 'shell'), script)
  announce(scope, lines[0] ?? '', [...lines, `shell: ${[command, ...args].join(' ')}`], env)
  const cwd = await workingDirectory(running)
  const onLine = scope.log.print
  const environment = stepEnvironment(scope, env, files.env)
  const exit = await runProcess({ command, args, cwd, env: environment, onLine, stop, kill, grace: scope.grace })
  // The outputs of a failed step count too: an always() step may need them.
  scope.path.unshift(...(await files.paths()).reverse())
  Object.assign(scope.env, await files.environment())
  await writeFile(join(scope.control, 'summary.md'), await files.summary(), { flag: 'a' })
  const outputs = await files.outputs()
  if (exit.code !== 0) throw new StepFailure(`Process ${exitText(exit)}.`, outputs)
  return outputs
}

/** Thrown by a step that failed although it has outputs. */
class StepFailure extends Error {
  readonly outputs: Texts

  constructor(message: string, outputs: Texts) {
    super(message)
    this.outputs = outputs
  }
}

const runAction = async (running: Running, uses: string): Promise<Texts> => {
  const { scope, step, index, env, stop } = running
  const inputs = fillTexts(step.with ?? {}, stepScope(scope, env))
  const control = join(scope.control, `step-${index}`)
  await mkdir(control, { recursive: true })
  announce(scope, uses, ['with:', ...Object.entries(inputs).map(([name, value]) => `  ${name}: ${value}`)], env)
  return await resolveAction(uses)(inputs, { ...scope, control }, stop)
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const execute = async (
  step: Step,
  index: number,
  env: Texts,
  scope: JobScope,
  cancellation: Cancellation,
): Promise<{ outcome: StepOutcome; outputs: Texts }> => {
  const stop = createStepStop(scope, step, env, cancellation)
  try {
    const running = { scope, step, index, env, stop: stop.signal, kill: cancellation.lost }
    const outputs = await (step.uses === undefined ? runScript(running, step.run ?? '') : runAction(running, step.uses))
    // A process that handled the signal and exits with 0 was ended all the same.
    if (stop.signal.aborted) throw new StepFailure('stopped', outputs)
    return { outcome: 'success', outputs }
  } catch (error) {
    const isCancelled = stop.signal.aborted && stop.reason() === undefined
    scope.log.write(`##[error]${isCancelled ? 'The operation was canceled.' : (stop.reason() ?? messageOf(error))}`)
    return {
      outcome: isCancelled ? 'cancelled' : 'failure',
      outputs: error instanceof StepFailure ? error.outputs : {},
    }
  } finally {
    stop.release()
  }
}

/**
 * Runs one step, or skips it if its `if` doesn't hold; never rejects. `continue-on-error` turns a failed outcome into a
 * conclusion of success. Source: docs.github.com, 'Workflow syntax', jobs.<job_id>.steps; 'Contexts reference', steps.
 */
export const runStep = async (
  step: Step,
  index: number,
  scope: JobScope,
  cancellation: Cancellation,
): Promise<StepResult> => {
  scope.log.resume()
  try {
    const env = fillTexts(step.env ?? {}, stepScope(scope))
    if (!holds(step.if, stepScope(scope, env))) return { outcome: 'skipped', conclusion: 'skipped', outputs: {} }
    const { outcome, outputs } = await execute(step, index, env, scope, cancellation)
    const isForgiven =
      outcome === 'failure' && fillFlag('continue-on-error', step['continue-on-error'], stepScope(scope, env))
    return { outcome, conclusion: isForgiven ? 'success' : outcome, outputs }
  } catch (error) {
    scope.log.write(`##[error]${messageOf(error)}`)
    return { outcome: 'failure', conclusion: 'failure', outputs: {} }
  }
}

/** The name of an unnamed step in the jobs listing. */
export const stepTitle = (step: Step, scope: JobScope): string => {
  const fallback = `Run ${step.uses ?? step.run?.trim().split('\n')[0] ?? ''}`
  try {
    return step.name === undefined ? fallback : fillText(step.name, stepScope(scope)) || fallback
  } catch {
    return step.name ?? fallback
  }
}
