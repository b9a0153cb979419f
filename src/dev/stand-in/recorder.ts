import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { StackVariant } from '#domain/config/stack-variants.ts'
import { contentHash, stateFile } from './content.ts'
import type { RecordedApply, RecordedPlan } from './recordings.ts'

/** Runs the real tool on checkouts and keeps its output. */
export type Recorder = {
  /** By content hash, so far. */
  plans: ReadonlyMap<string, RecordedPlan>
  /** As printed by `terraform version -json`. */
  version(): Promise<string>
  /** Records the plan of a stack as it now is; resolves with an earlier recording of the same. */
  plan(base: string, variant: StackVariant): Promise<RecordedPlan>
  /** Records the apply of a stack's plan as it now is, whether it succeeds or fails. */
  apply(base: string, variant: StackVariant): Promise<void>
  /** Plans and applies without recording; resolves with the errors, empty if all went well. */
  bring(base: string, variant: StackVariant): Promise<string>
}

type Ran = { code: number; output: string; errors: string }

const workspaceOf = ({ workspace }: StackVariant): string => workspace ?? 'default'
const varFileArgs = ({ var_files }: StackVariant): string[] => var_files.map((file) => `-var-file=${file}`)

/** The real tool without the configuration of the machine's owner; `must` throws if it fails. */
const createRunner = (root: string) => {
  const env = {
    PATH: process.env.PATH,
    TF_CLI_CONFIG_FILE: join(root, 'empty.tfrc'),
    CHECKPOINT_DISABLE: '1',
    TF_IN_AUTOMATION: '1',
    TF_INPUT: '0',
  }
  const tool = (dir: string, ...args: string[]): Promise<Ran> =>
    new Promise((done) => {
      execFile('terraform', args, { cwd: dir, env, maxBuffer: 64 << 20 }, (error, output, errors) =>
        done({ code: error ? Number(error.code ?? 1) : 0, output, errors }),
      )
    })
  const must = async (dir: string, ...args: string[]): Promise<string> => {
    const { code, output, errors } = await tool(dir, ...args)
    if (code !== 0) throw new Error(`terraform ${args.join(' ')} in ${dir}: ${errors || output}`)
    return output
  }
  return { tool, must }
}

/** `root` is our directory with an empty tool configuration, `stateDir` where the checkouts keep their state. */
export const createRecorder = (root: string, stateDir: string): Recorder => {
  const plans = new Map<string, RecordedPlan>()
  const { tool, must } = createRunner(root)

  const prepared = async (base: string, { path, workspace }: StackVariant): Promise<string> => {
    const dir = join(base, path)
    await must(dir, 'init', '-no-color')
    if (workspace) await must(dir, 'workspace', 'select', '-or-create', workspace)
    return dir
  }

  const save = async (dir: string, variant: StackVariant): Promise<number> => {
    const args = ['plan', '-detailed-exitcode', '-no-color', '-out=recorded.tfplan', ...varFileArgs(variant)]
    const { code, errors } = await tool(dir, ...args)
    if (code !== 0 && code !== 2) throw new Error(`planning ${variant.key}: ${errors}`)
    return code
  }

  const plan = async (base: string, variant: StackVariant): Promise<RecordedPlan> => {
    const at = { dir: join(base, variant.path), varFiles: variant.var_files, workspace: workspaceOf(variant), stateDir }
    const hash = contentHash(at)
    const known = plans.get(hash)
    if (known) return known
    const dir = await prepared(base, variant)
    const exitCode = await save(dir, variant)
    const text = await must(dir, 'show', '-no-color', 'recorded.tfplan')
    const json = JSON.parse(await must(dir, 'show', '-json', 'recorded.tfplan'))
    const made = { stack: variant.key, exitCode, text, json }
    plans.set(hash, made)
    return made
  }

  const apply = async (base: string, variant: StackVariant): Promise<void> => {
    const recorded = await plan(base, variant)
    // Recorded in an earlier tree, it has no file here.
    const dir = await prepared(base, variant)
    await save(dir, variant)
    const began = performance.now()
    const { code, output, errors } = await tool(dir, 'apply', '-no-color', 'recorded.tfplan')
    const seconds = Math.round((performance.now() - began) / 100) / 10
    const state = await recordedState(stateFile(dir, workspaceOf(variant)))
    recorded.apply = { exitCode: code, text: output, errors, seconds, state } satisfies RecordedApply
  }

  return {
    plans,
    plan,
    apply,
    version: async () => JSON.parse(await must(root, 'version', '-json')).terraform_version,
    bring: async (base, variant) => {
      const dir = await prepared(base, variant)
      const { code, errors } = await tool(dir, 'apply', '-auto-approve', '-no-color', ...varFileArgs(variant))
      return code === 0 ? '' : errors
    },
  }
}

export const recordedState = async (path: string): Promise<unknown> => {
  const state = JSON.parse(await readFile(path, 'utf8'))
  // The oldest version that has terraform_data: state says which version may no longer read it.
  return { ...state, terraform_version: '1.4.0' }
}
