import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseRepoConfig } from '#domain/config/config-file.ts'
import { type StackVariant, stackVariants } from '#domain/config/stack-variants.ts'
import { type DemoChange, demoChanges } from './demo-changes.ts'
import { changedFiles, demoFiles, type RepositoryFiles, writeFiles } from './demo-files.ts'
import { createRecorder, recordedState } from './stand-in/recorder.ts'
import { writeRecordings } from './stand-in/recordings.ts'

/*
 * node src/dev/record-plans.ts
 *
 * Applies the demo's repository with the real tool, then plans every stack as on the default branch and as in each change of
 * the demo, applies what the demo applies, and writes the results for the stand-in tool to play back. Run it again after any
 * change of the repository.
 */

type Change = keyof typeof demoChanges

/** What the demo applies, in the order of waves; each entry goes on from the state that the previous entry in its row left. */
const applied: readonly (readonly [change: Change, stacks: readonly string[]])[][] = [
  [['sale', ['platform/identity', 'platform/cluster', 'observability/alerts']]],
  [
    ['release', ['data/cache', 'apps/storefront:staging']],
    ['releaseAgain', ['data/cache', 'apps/worker']],
  ],
  [['repository', ['platform/registry']]],
]

/** What is planned from the former default branch while something is applied and not merged. */
const plannedMeanwhile: Partial<Record<Change, readonly (readonly [change: Change, stacks: readonly string[]])[]>> = {
  sale: [['rota', ['observability/alerts']]],
}

/** What may be opened once the changes of a row are merged. */
const openedLater: readonly Change[] = ['thirdZone', 'kubernetes', 'readme']

const root = await mkdtemp(join(tmpdir(), 'svc-record-'))
const stateDir = join(root, 'state')
await writeFile(join(root, 'empty.tfrc'), '')
const recorder = createRecorder(root, stateDir)

const checkout = async (name: string, files: RepositoryFiles): Promise<string> => {
  const dir = join(root, name)
  await writeFiles(dir, files)
  return dir
}

/** By the configuration of the default branch: a stack that a change hides is planned all the same. */
const variantsOf = (files: RepositoryFiles): StackVariant[] => {
  const parsed = parseRepoConfig(files.get('svc.yml') ?? '')
  if (!parsed.ok) throw new Error(`svc.yml: ${parsed.problems.map(({ message }) => message).join('; ')}`)
  const directories = [...files.keys()]
    .filter((path) => /^(?!modules\/).+\/main\.tf$/.test(path))
    .map((path) => dirname(path))
  return directories.flatMap((path) => stackVariants(parsed.config, path))
}

/** Stacks whose upstream has no state yet fail and are tried again: no list of the order is needed here. */
const applyAll = async (base: string, variants: StackVariant[]): Promise<void> => {
  let waiting = variants
  while (waiting.length > 0) {
    const failed: StackVariant[] = []
    for (const variant of waiting) {
      const errors = await recorder.bring(base, variant)
      if (errors === '') continue
      if (!errors.includes('Unable to find remote state')) throw new Error(`applying ${variant.key}: ${errors}`)
      failed.push(variant)
    }
    if (failed.length === waiting.length) throw new Error(`stacks wait for each other: ${failed.map(({ key }) => key)}`)
    waiting = failed
  }
}

const planAll = async (name: string, files: RepositoryFiles, variants: StackVariant[]): Promise<void> => {
  const base = await checkout(name, files)
  for (const variant of variants) await recorder.plan(base, variant)
  console.error(`${name}: ${recorder.plans.size} plans so far`)
}

/** Plays each row of `applied` from the state of the default branch, planning all stacks before and after each apply. */
const recordApplies = async (files: RepositoryFiles, variants: StackVariant[]): Promise<void> => {
  const seeds = join(root, 'seeds')
  await cp(stateDir, seeds, { recursive: true })
  for (const row of applied) {
    await rm(stateDir, { recursive: true })
    await cp(seeds, stateDir, { recursive: true })
    for (const [change, stacks] of row) await recordApply(change, stacks, files, variants)
    const merged = changedFiles(files, demoChanges[row.at(-1)?.[0] ?? 'readme'])
    for (const later of openedLater)
      await planAll(`${row[0]?.[0]}-${later}`, changedFiles(merged, demoChanges[later]), variants)
  }
}

const recordApply = async (
  change: Change,
  stacks: readonly string[],
  files: RepositoryFiles,
  variants: StackVariant[],
): Promise<void> => {
  const tree = changedFiles(files, demoChanges[change])
  await planAll(`before-${change}`, tree, variants)
  const base = await checkout(`apply-${change}`, tree)
  for (const key of stacks) {
    const variant = variants.find((one) => one.key === key)
    if (!variant) throw new Error(`applied: the demo's repository has no stack ${key}`)
    await recorder.apply(base, variant)
  }
  // A stack that failed in the apply fails in the plan that follows, which the demo doesn't make: it pushes a fix.
  await planAll(`after-${change}`, tree, variants).catch((error: Error) =>
    console.error(`after-${change}: ${error.message}`),
  )
  for (const [other, keys] of plannedMeanwhile[change] ?? []) {
    const some = variants.filter(({ key }) => keys.includes(key))
    await planAll(`${change}-${other}`, changedFiles(files, demoChanges[other]), some)
  }
}

const recordedStates = async (): Promise<Record<string, unknown>> => {
  const names = (await readdir(stateDir, { recursive: true })).filter((name) => name.endsWith('.tfstate')).sort()
  const states = names.map(
    async (name): Promise<[string, unknown]> => [name, await recordedState(join(stateDir, name))],
  )
  return Object.fromEntries(await Promise.all(states))
}

const record = async (): Promise<void> => {
  const files = await demoFiles(stateDir)
  const variants = variantsOf(files)
  const version = await recorder.version()
  await applyAll(await checkout('applied', files), variants)
  const states = await recordedStates()
  await planAll('base', files, variants)
  for (const [name, change] of Object.entries<DemoChange>(demoChanges))
    await planAll(name, changedFiles(files, change), variants)
  await recordApplies(files, variants)
  writeRecordings({ version, states, plans: new Map(recorder.plans) }, stateDir)
}

try {
  await record()
} finally {
  await rm(root, { recursive: true, force: true })
}
