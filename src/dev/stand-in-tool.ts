import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { contentHash, readState, stateFile } from './stand-in/content.ts'
import { type RecordedPlan, type Recordings, readRecordings, writeState } from './stand-in/recordings.ts'

/*
 * For machines without terraform and tofu, and for the demo alone: plays back the plans and applies that the real tool made
 * of the same stacks (record-plans.ts). It reads no configuration: for a stack whose content was not recorded it reports an
 * error.
 */

/** Writes the stand-in as a program `terraform` into `dir`, for state laid out in `stateDir`. */
export const installStandIn = (dir: string, stateDir: string): void => {
  const quoted = [process.execPath, import.meta.filename].map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
  const path = join(dir, 'terraform')
  mkdirSync(dir, { recursive: true })
  // Compiled once: 0.09 s a start instead of 0.17 s, and a stack takes five.
  const settings = `SVC_DEMO_STATE='${stateDir}' NODE_COMPILE_CACHE='${join(dir, 'compiled')}'`
  writeFileSync(path, `#!/bin/sh\n${settings} exec ${quoted.join(' ')} "$@"\n`)
  chmodSync(path, 0o755)
}

type Call = { dir: string; args: string[]; recordings: Recordings; stateDir: string }

const option = (args: string[], name: string): string | undefined => optionValues(args, name).at(-1)

/** `-name=value`, with one dash or two. */
const optionValues = (args: string[], name: string): string[] =>
  args.flatMap((arg) => new RegExp(`^--?${name}=(.*)$`, 's').exec(arg)?.[1] ?? [])

const flag = (args: string[], name: string): boolean => args.includes(`-${name}`) || args.includes(`--${name}`)

const operands = (args: string[]): string[] => args.filter((arg) => !arg.startsWith('-'))

/* Commands return the exit status; a thrown message goes to standard error, with status 1. */

const init = ({ dir, recordings }: Call): number => {
  mkdirSync(join(dir, '.terraform'), { recursive: true })
  console.log('Initializing the backend...\nInitializing provider plugins...')
  console.log(`- terraform.io/builtin/terraform is built in to Terraform\n\n${title(recordings)} has been initialized.`)
  return 0
}

const validate = ({ args }: Call): number => {
  const report = { format_version: '1.0', valid: true, error_count: 0, warning_count: 0, diagnostics: [] }
  console.log(flag(args, 'json') ? JSON.stringify(report) : 'Success! The configuration is valid.\n')
  return 0
}

const title = ({ version }: Recordings): string => `Terraform v${version} (recorded: the demo's stand-in)`

const version = ({ args, recordings }: Call): number => {
  const report = {
    terraform_version: recordings.version,
    platform: `linux_${process.arch === 'x64' ? 'amd64' : process.arch}`,
    provider_selections: {},
    terraform_outdated: false,
  }
  console.log(flag(args, 'json') ? JSON.stringify(report) : title(recordings))
  return 0
}

const workspaceFile = (dir: string): string => join(dir, '.terraform', 'environment')

const currentWorkspace = (dir: string): string => {
  if (process.env.TF_WORKSPACE) return process.env.TF_WORKSPACE
  return existsSync(workspaceFile(dir)) ? readFileSync(workspaceFile(dir), 'utf8') : 'default'
}

const workspace = ({ dir, args }: Call): number => {
  const [verb, name] = operands(args)
  if (verb === 'show') console.log(currentWorkspace(dir))
  else if ((verb === 'select' || verb === 'new') && name) {
    mkdirSync(join(dir, '.terraform'), { recursive: true })
    writeFileSync(workspaceFile(dir), name)
    console.log(`Switched to workspace "${name}".`)
  } else throw new Error(`the stand-in knows workspace select, new and show, not '${args.join(' ')}'`)
  return 0
}

const whoCan =
  "this is the demo's stand-in, which plays back the demo's own pull requests only. Install terraform or tofu"

/** The saved plan: which recording, and of which state, as the real tool's has it. */
type Saved = { standIn: string; serial: unknown }

const serialOf = (path: string): unknown => (readState(path) as { serial?: unknown } | undefined)?.serial ?? null

const plan = ({ dir, args, recordings, stateDir }: Call): number => {
  if (!existsSync(join(dir, '.terraform')))
    throw new Error('Backend initialization required: please run "terraform init"')
  const workspace = currentWorkspace(dir)
  const hash = contentHash({ dir, varFiles: optionValues(args, 'var-file'), workspace, stateDir })
  const recorded = recordings.plans.get(hash)
  if (!recorded)
    throw new Error(`no plan of ${dir} as it now is was recorded (${hash}): ${whoCan} to plan anything else`)
  process.stdout.write(recorded.text)
  const out = option(args, 'out')
  if (out !== undefined) {
    const saved: Saved = { standIn: hash, serial: serialOf(stateFile(dir, workspace)) }
    writeFileSync(resolve(dir, out), JSON.stringify(saved))
    console.log(`\nSaved the plan to: ${out}`)
  }
  return flag(args, 'detailed-exitcode') ? recorded.exitCode : 0
}

const apply = async ({ dir, args, recordings }: Call): Promise<number> => {
  const { recorded, serial } = savedPlan(dir, args, recordings)
  const path = stateFile(dir, currentWorkspace(dir))
  if (serialOf(path) !== serial) throw new Error('Saved plan is stale')
  if (recorded.exitCode === 0) {
    console.log('\nApply complete! Resources: 0 added, 0 changed, 0 destroyed.')
    return 0
  }
  const { apply: played, stack } = recorded
  if (!played) throw new Error(`no apply of this plan of ${stack} was recorded: ${whoCan} to apply it`)
  // As long as it took: what waits for it, or kills it, must find it running.
  await wait(played.seconds * 1000)
  // Like the real tool it does not outlive its reader: a job whose runner was killed changes nothing any more.
  await written(process.stdout, played.text)
  writeState(path, played.state)
  process.stderr.write(played.errors)
  return played.exitCode
}

/** Rejects when the stream has no reader. */
const written = (stream: NodeJS.WriteStream, text: string): Promise<void> =>
  new Promise((done, fail) => {
    stream.once('error', fail)
    stream.write(text, () => done())
  })

const show = ({ dir, args, recordings }: Call): number => {
  const { recorded } = savedPlan(dir, args, recordings)
  process.stdout.write(flag(args, 'json') ? `${JSON.stringify(recorded.json)}\n` : recorded.text)
  return 0
}

type SavedPlan = { recorded: RecordedPlan; serial: unknown }

const savedPlan = (dir: string, args: string[], { plans }: Recordings): SavedPlan => {
  const [name] = operands(args)
  if (name === undefined) throw new Error('the stand-in shows and applies saved plans only')
  const { standIn, serial } = JSON.parse(readFileSync(resolve(dir, name), 'utf8')) as Saved
  const recorded = plans.get(standIn)
  if (!recorded) throw new Error(`${name} is not a plan that the stand-in saved`)
  return { recorded, serial }
}

type Command = (call: Call) => number | Promise<number>

const commands: Record<string, Command> = { init, validate, version, workspace, plan, apply, show }

const main = async (argv: string[]): Promise<number> => {
  const stateDir = process.env.SVC_DEMO_STATE ?? ''
  const before = argv.findIndex((arg) => !arg.startsWith('-') || /^--?version$/.test(arg))
  const name = argv[before]?.replace(/^-+/, '') ?? ''
  const command = commands[name]
  if (!command) throw new Error(`the stand-in of the demo knows ${Object.keys(commands).join(', ')}, not '${name}'`)
  const dir = resolve(option(argv.slice(0, before), 'chdir') ?? '.')
  return await command({ dir, args: argv.slice(before + 1), recordings: readRecordings(stateDir), stateDir })
}

if (import.meta.main) {
  try {
    process.exitCode = await main(process.argv.slice(2))
  } catch (error) {
    console.error(`Error: ${error instanceof Error ? error.message : error}`)
    process.exitCode = 1
  }
}
