import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseRepoConfig } from '#domain/config-file.ts'
import { type StackVariant, stackVariants } from '#domain/stack-config.ts'
import { type DemoChange, demoChanges } from './demo-changes.ts'
import { changedFiles, demoFiles, type RepositoryFiles, writeFiles } from './demo-files.ts'
import { contentHash, stateFile } from './stand-in/content.ts'
import { type RecordedApply, type RecordedPlan, writeRecordings } from './stand-in/recordings.ts'

/*
 * node src/dev/record-plans.ts
 *
 * Applies the demo's repository with the real tool, then plans every stack as the default branch and as each change of the
 * demo has it, applies what the demo applies, and writes what came out for the stand-in tool to play. Run it again after any
 * change of the repository.
 */

/** What the demo applies, in the order of waves; each list goes on from the state that the one before it in its row left. */
const applied: readonly (readonly [change: keyof typeof demoChanges, stacks: readonly string[]])[][] = [
  [['sale', ['platform/identity', 'platform/cluster', 'observability/alerts']]],
  [
    ['release', ['data/cache', 'apps/storefront:staging']],
    ['releaseAgain', ['data/cache', 'apps/worker']],
  ],
  [['repository', ['platform/registry']]],
]

const root = await mkdtemp(join(tmpdir(), 'svc-record-'))
const stateDir = join(root, 'state')
await writeFile(join(root, 'empty.tfrc'), '')

type Ran = { code: number; output: string; errors: string }

const tool = (dir: string, ...args: string[]): Promise<Ran> =>
  new Promise((done) => {
    const env = {
      PATH: process.env.PATH,
      TF_CLI_CONFIG_FILE: join(root, 'empty.tfrc'),
      CHECKPOINT_DISABLE: '1',
      TF_IN_AUTOMATION: '1',
      TF_INPUT: '0',
    }
    execFile('terraform', args, { cwd: dir, env, maxBuffer: 64 << 20 }, (error, output, errors) =>
      done({ code: error ? Number(error.code ?? 1) : 0, output, errors }),
    )
  })

const must = async (dir: string, ...args: string[]): Promise<string> => {
  const { code, output, errors } = await tool(dir, ...args)
  if (code !== 0) throw new Error(`terraform ${args.join(' ')} in ${dir}: ${errors || output}`)
  return output
}

const checkout = async (name: string, files: RepositoryFiles): Promise<string> => {
  const dir = join(root, name)
  await writeFiles(dir, files)
  return dir
}

/** From the configuration of the default branch: what a change hides is planned all the same. */
const variantsOf = (files: RepositoryFiles): StackVariant[] => {
  const parsed = parseRepoConfig(files.get('svc.yml') ?? '')
  if (!parsed.ok) throw new Error(`svc.yml: ${parsed.problems.map(({ message }) => message).join('; ')}`)
  const directories = [...files.keys()]
    .filter((path) => /^(?!modules\/).+\/main\.tf$/.test(path))
    .map((path) => dirname(path))
  return directories.flatMap((path) => stackVariants(parsed.config, path))
}

const prepare = async (dir: string, { workspace }: StackVariant): Promise<void> => {
  await must(dir, 'init', '-no-color')
  if (workspace) await must(dir, 'workspace', 'select', '-or-create', workspace)
}

const varFileArgs = ({ var_files }: StackVariant): string[] => var_files.map((file) => `-var-file=${file}`)

/** Those whose upstream has no state yet fail and are tried again: order needs no list of its own here. */
const applyAll = async (base: string, variants: StackVariant[]): Promise<void> => {
  let waiting = variants
  while (waiting.length > 0) {
    const failed: StackVariant[] = []
    for (const variant of waiting) {
      const dir = join(base, variant.path)
      await prepare(dir, variant)
      const { code, errors } = await tool(dir, 'apply', '-auto-approve', '-no-color', ...varFileArgs(variant))
      if (code === 0) continue
      if (!errors.includes('Unable to find remote state')) throw new Error(`applying ${variant.key}: ${errors}`)
      failed.push(variant)
    }
    if (failed.length === waiting.length) throw new Error(`stacks wait for each other: ${failed.map(({ key }) => key)}`)
    waiting = failed
  }
}

type Plans = Map<string, RecordedPlan>

const plan = async (base: string, variant: StackVariant, plans: Plans): Promise<RecordedPlan> => {
  const dir = join(base, variant.path)
  const hash = contentHash({ dir, varFiles: variant.var_files, workspace: variant.workspace ?? 'default', stateDir })
  const known = plans.get(hash)
  if (known) return known
  await prepare(dir, variant)
  const args = ['plan', '-detailed-exitcode', '-no-color', '-out=recorded.tfplan', ...varFileArgs(variant)]
  const { code, errors } = await tool(dir, ...args)
  if (code !== 0 && code !== 2) throw new Error(`planning ${variant.key}: ${errors}`)
  const text = await must(dir, 'show', '-no-color', 'recorded.tfplan')
  const json = JSON.parse(await must(dir, 'show', '-json', 'recorded.tfplan'))
  const made = { stack: variant.key, exitCode: code, text, json }
  plans.set(hash, made)
  return made
}

/** Plans a stack as it now is and applies that plan, for better or worse: one fails, as it does in the demo. */
const apply = async (base: string, variant: StackVariant, plans: Plans): Promise<void> => {
  const dir = join(base, variant.path)
  const recorded = await plan(base, variant, plans)
  // Planned by an earlier tree, it has no file here.
  await prepare(dir, variant)
  await tool(dir, 'plan', '-no-color', '-out=recorded.tfplan', ...varFileArgs(variant))
  const began = performance.now()
  const { code, output, errors } = await tool(dir, 'apply', '-no-color', 'recorded.tfplan')
  const seconds = Math.round((performance.now() - began) / 100) / 10
  const state = await stateIn(stateFile(dir, variant.workspace ?? 'default'))
  recorded.apply = { exitCode: code, text: output, errors, seconds, state } satisfies RecordedApply
}

/** Plays each row of `applied` from the state of the default branch, planning all stacks before and after each apply. */
const recordApplies = async (files: RepositoryFiles, variants: StackVariant[], plans: Plans): Promise<void> => {
  const seeds = join(root, 'seeds')
  await cp(stateDir, seeds, { recursive: true })
  for (const row of applied) {
    await rm(stateDir, { recursive: true })
    await cp(seeds, stateDir, { recursive: true })
    for (const [change, stacks] of row) {
      const base = await checkout(`apply-${change}`, changedFiles(files, demoChanges[change]))
      for (const variant of variants) await plan(base, variant, plans)
      for (const key of stacks) {
        const variant = variants.find((one) => one.key === key)
        if (!variant) throw new Error(`applied: the demo's repository has no stack ${key}`)
        await apply(base, variant, plans)
      }
      for (const variant of variants) await planAfter(base, variant, plans)
      console.error(`applied ${change}: ${plans.size} plans so far`)
    }
  }
}

/** What failed in the apply may fail in the plan that follows, and is not recorded: the demo pushes a fix instead. */
const planAfter = async (base: string, variant: StackVariant, plans: Plans): Promise<void> => {
  await plan(base, variant, plans).catch((error: Error) => console.error(`not recorded: ${error.message}`))
}

const stateIn = async (path: string): Promise<unknown> => {
  const state = JSON.parse(await readFile(path, 'utf8'))
  // The oldest version that has terraform_data: state says which version may no longer read it.
  return { ...state, terraform_version: '1.4.0' }
}

const recordedStates = async (): Promise<Record<string, unknown>> => {
  const names = (await readdir(stateDir, { recursive: true })).filter((name) => name.endsWith('.tfstate')).sort()
  const states = names.map(async (name): Promise<[string, unknown]> => [name, await stateIn(join(stateDir, name))])
  return Object.fromEntries(await Promise.all(states))
}

const record = async (): Promise<void> => {
  const files = await demoFiles(stateDir)
  const variants = variantsOf(files)
  const { terraform_version: version } = JSON.parse(await must(root, 'version', '-json'))
  await applyAll(await checkout('applied', files), variants)
  const states = await recordedStates()
  const plans: Plans = new Map()
  const trees: [string, RepositoryFiles][] = Object.entries<DemoChange>(demoChanges).map(([name, change]) => [
    name,
    changedFiles(files, change),
  ])
  for (const [name, tree] of [['base', files] as const, ...trees]) {
    const base = await checkout(name, tree)
    for (const variant of variants) await plan(base, variant, plans)
    console.error(`${name}: ${plans.size} plans so far`)
  }
  await recordApplies(files, variants, plans)
  writeRecordings({ version, states, plans }, stateDir)
}

try {
  await record()
} finally {
  await rm(root, { recursive: true, force: true })
}
