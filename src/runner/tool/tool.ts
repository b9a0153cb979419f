import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { askGit } from '../checkout/git.ts'
import type { StackJob } from '../job/stack-job.ts'
import type { Stop } from '../job/stop.ts'
import type { Relay } from '../output/output.ts'
import { type Ended, runProgram } from './run-program.ts'

/** The tool in a stack's directory. Every call runs it once and returns how it ended. */
export type Tool = {
  /** `1.11.4`; undefined if the tool does not say. */
  version(): Promise<string | undefined>
  init(relay: Partial<Relay>): Promise<Ended>
  selectWorkspace(name: string, relay: Partial<Relay>): Promise<Ended>
  /** `drift` takes no lock of the state: no apply has to wait for it, or finds a lock that a killed job left behind. */
  plan(file: string, relay: Partial<Relay>, mode: 'plan' | 'drift'): Promise<Ended>
  /** Applies a saved plan: what it says and nothing else. */
  apply(file: string, relay: Partial<Relay>): Promise<Ended>
  show(file: string, format: '-json' | '-no-color'): Promise<Ended>
  /** The state as JSON, in clear. */
  showState(): Promise<Ended>
  /** What init wrote of the backend; undefined for a local one that nothing configures. */
  backend(): InitialisedBackend | undefined
}

export type InitialisedBackend = { type: string; config: Record<string, unknown> }

/** How much of a program's output is kept for its failure: nobody reads the errors of a thousand resources. */
const KEPT_BYTES = 64 * 1024

/** The tool asks no questions and looks for no updates. Source: developer.hashicorp.com, 'Environment Variables'. */
const quiet = { TF_IN_AUTOMATION: '1', TF_INPUT: '0', CHECKPOINT_DISABLE: '1' }

const Version = z.object({ terraform_version: z.string() })

const DataFile = z.object({
  backend: z.object({ type: z.string(), config: z.record(z.string(), z.unknown()).nullish() }),
})

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A job must not change a lock file that the repository keeps; it may change one that init made a moment ago. */
const hasCommittedLockFile = async (directory: string): Promise<boolean> => {
  const name = '.terraform.lock.hcl'
  const listed = await askGit(directory, 'ls-files', '--', name)
  return listed === undefined ? existsSync(join(directory, name)) : listed.trim() !== ''
}

/** The tool refuses to select a workspace while TF_WORKSPACE names another one. */
const environmentOf = (all: Readonly<Record<string, string>>, job: StackJob): Record<string, string> => {
  const { TF_WORKSPACE, ...rest } = all
  const keeps = TF_WORKSPACE !== undefined && job.workspace === undefined
  return { ...rest, ...(keeps ? { TF_WORKSPACE } : {}), ...quiet }
}

export const createTool = (job: StackJob, all: Readonly<Record<string, string>>, stop: Stop): Tool => {
  const env = environmentOf(all, job)
  const dataDir = resolve(job.directory, all.TF_DATA_DIR ?? '.terraform')
  const run = (args: readonly string[], relay?: Partial<Relay>, kept?: number): Promise<Ended> =>
    runProgram({
      command: job.program,
      args,
      cwd: job.directory,
      env,
      stop,
      relay,
      ...(kept === undefined ? {} : { kept }),
    })

  const backend = (): InitialisedBackend | undefined => {
    const path = join(dataDir, 'terraform.tfstate')
    const found = existsSync(path) ? DataFile.safeParse(parsed(readFileSync(path, 'utf8'))) : undefined
    return found?.success ? { type: found.data.backend.type, config: found.data.backend.config ?? {} } : undefined
  }

  return {
    version: async () => {
      const { code, stdout } = await run(['version', '-json'])
      const version = Version.safeParse(code === 0 ? parsed(stdout) : undefined)
      return version.success ? version.data.terraform_version : undefined
    },
    init: async (relay) => {
      // Another instance of the directory may have been planned here before, with another backend and workspace.
      const before = backend()
      rmSync(join(dataDir, 'environment'), { force: true })
      const args = [
        ...['init', '-input=false', '-no-color'],
        ...(before !== undefined && before.type !== 'cloud' ? ['-reconfigure'] : []),
        ...((await hasCommittedLockFile(job.directory)) ? ['-lockfile=readonly'] : []),
        ...job.backendConfig.map((one) => `-backend-config=${one}`),
      ]
      return await run(args, relay, KEPT_BYTES)
    },
    selectWorkspace: (name, relay) => run(['workspace', 'select', '-or-create', name], relay, KEPT_BYTES),
    plan: (file, relay, mode) => {
      // On an error the tool leaves an earlier file where it is.
      rmSync(file, { force: true })
      const lock = mode === 'drift' ? '-lock=false' : `-lock-timeout=${job.lockTimeout}`
      const flags = ['-input=false', '-no-color', lock, '-detailed-exitcode', `-out=${file}`]
      return run(['plan', ...flags, ...job.varFiles.map((one) => `-var-file=${one}`)], relay, KEPT_BYTES)
    },
    // No var files: a saved plan holds its values, and the tool takes no others beside it.
    apply: (file, relay) =>
      run(['apply', '-input=false', '-no-color', `-lock-timeout=${job.lockTimeout}`, file], relay, KEPT_BYTES),
    showState: () => run(['show', '-no-color', '-json']),
    show: (file, format) => run(['show', ...new Set(['-no-color', format]), file]),
    backend,
  }
}
