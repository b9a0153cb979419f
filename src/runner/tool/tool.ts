import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { askGit } from '../checkout/git.ts'
import type { Hooks } from '../job/policy.ts'
import type { StackJob } from '../job/stack-job.ts'
import type { Stop } from '../job/stop.ts'
import type { Relay } from '../output/output.ts'
import { type Dialect, dialectOf } from './dialect.ts'
import { type Ended, type Program, runProgram } from './run-program.ts'

/** The tool in a stack's directory. Every call runs it once and returns how it ended. */
export type Tool = {
  /** `1.11.4`; undefined if the tool does not say. */
  version(): Promise<string | undefined>
  /** The commands of svc.yml that come before init. */
  beforeInit: readonly { line: string; run(relay: Partial<Relay>): Promise<Ended> }[]
  init(relay: Partial<Relay>): Promise<Ended>
  selectWorkspace(name: string, relay: Partial<Relay>): Promise<Ended>
  /** `drift` takes no lock of the state: no apply has to wait for it, or finds a lock that a killed job left behind. */
  plan(file: string, relay: Partial<Relay>, mode: 'plan' | 'drift'): Promise<Ended>
  /** Applies a saved plan: what it says and nothing else. */
  apply(file: string, relay: Partial<Relay>): Promise<Ended>
  show(file: string, format: '-json' | '-no-color'): Promise<Ended>
  /** The state as JSON, in clear. */
  showState(): Promise<Ended>
  /** Writes what the stack file of a directory generates. */
  generate(directory: string, relay: Partial<Relay>): Promise<Ended>
  /** What init wrote of the backend; undefined for a local one that nothing configures. */
  backend(): InitialisedBackend | undefined
}

export type InitialisedBackend = { type: string; config: Record<string, unknown> }

/** How much of a program's output is kept for its failure: nobody reads the errors of a thousand resources. */
const KEPT_BYTES = 64 * 1024

/** The tool asks no questions and looks for no updates. Source: developer.hashicorp.com, 'Environment Variables'. */
const quiet = { TF_IN_AUTOMATION: '1', TF_INPUT: '0', CHECKPOINT_DISABLE: '1' }

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

/** Where a directory is that may yet have to be generated: it, or the nearest above it. */
const existing = (directory: string): string => (existsSync(directory) ? directory : existing(dirname(directory)))

/** The tool refuses to select a workspace while TF_WORKSPACE names another one. */
const environmentOf = (
  all: Readonly<Record<string, string>>,
  job: StackJob,
  { environment, refused }: Dialect,
): Record<string, string> => {
  const left = job.workspace === undefined ? refused : [...refused, 'TF_WORKSPACE']
  const kept = Object.entries(all).filter(([name]) => !left.includes(name))
  return { ...Object.fromEntries(kept), ...quiet, ...environment }
}

const noHooks: Hooks = { beforeInit: [], env: {}, planArgs: [], applyArgs: [] }

const commandsOf = ({ beforeInit }: Hooks, at: Pick<Program, 'cwd' | 'env' | 'stop'>): Tool['beforeInit'] =>
  beforeInit.map((line) => ({
    line,
    run: (relay) => runProgram({ ...at, command: 'sh', args: ['-c', line], relay, kept: KEPT_BYTES }),
  }))

export const createTool = (
  job: StackJob,
  all: Readonly<Record<string, string>>,
  stop: Stop,
  hooks: Hooks = noHooks,
): Tool => {
  const dialect = dialectOf(job.tool)
  const env = environmentOf(all, job, dialect)
  const dataDir = (): string | undefined => dialect.dataDir(job.directory, all)
  const run = (args: readonly string[], relay?: Partial<Relay>, kept?: number, cwd = job.directory): Promise<Ended> =>
    runProgram({
      command: job.program,
      args,
      cwd,
      env,
      stop,
      relay,
      ...(kept === undefined ? {} : { kept }),
    })

  const backend = (): InitialisedBackend | undefined => {
    const data = dataDir()
    const path = join(data ?? '', 'terraform.tfstate')
    const found =
      data !== undefined && existsSync(path) ? DataFile.safeParse(parsed(readFileSync(path, 'utf8'))) : undefined
    return found?.success ? { type: found.data.backend.type, config: found.data.backend.config ?? {} } : undefined
  }

  return {
    version: async () => {
      const { code, stdout } = await run(dialect.version.args, undefined, undefined, existing(job.directory))
      return code === 0 ? dialect.version.read(stdout) : undefined
    },
    beforeInit: commandsOf(hooks, { cwd: job.directory, env, stop }),
    init: async (relay) => {
      // Another instance of the directory may have been planned here before, with another backend and workspace.
      const before = backend()
      const data = dataDir()
      if (data !== undefined) rmSync(join(data, 'environment'), { force: true })
      const args = [
        ...['init', '-input=false', '-no-color'],
        ...(before !== undefined && before.type !== 'cloud' ? ['-reconfigure'] : []),
        ...((await hasCommittedLockFile(job.directory)) ? ['-lockfile=readonly'] : []),
        ...job.backendConfig.map((one) => `-backend-config=${one}`),
      ]
      return await run(args, relay, KEPT_BYTES)
    },
    selectWorkspace: (name, relay) => run(dialect.selectWorkspace(name), relay, KEPT_BYTES),
    plan: (file, relay, mode) => {
      // On an error the tool leaves an earlier file where it is.
      rmSync(file, { force: true })
      const lock = mode === 'drift' ? '-lock=false' : `-lock-timeout=${job.lockTimeout}`
      const flags = ['-input=false', '-no-color', lock, '-detailed-exitcode', `-out=${file}`]
      return run(
        ['plan', ...flags, ...job.varFiles.map((one) => `-var-file=${one}`), ...hooks.planArgs],
        relay,
        KEPT_BYTES,
      )
    },
    // No var files: a saved plan holds its values, and the tool takes no others beside it.
    apply: (file, relay) =>
      run(
        ['apply', '-input=false', '-no-color', `-lock-timeout=${job.lockTimeout}`, ...hooks.applyArgs, file],
        relay,
        KEPT_BYTES,
      ),
    showState: () => run(['show', '-no-color', '-json']),
    show: (file, format) => run(['show', ...new Set(['-no-color', format]), file]),
    generate: (directory, relay) => run(['stack', 'generate'], relay, KEPT_BYTES, directory),
    backend,
  }
}
