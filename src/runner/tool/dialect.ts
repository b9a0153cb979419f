import { globSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import type { ToolName } from '../scan/facts/directories.ts'

/** What differs between Terraform, with OpenTofu, and Terragrunt, which runs one of them elsewhere. */
export type Dialect = {
  environment: Readonly<Record<string, string>>
  /** Variables of the job that would have it work on another directory. */
  refused: readonly string[]
  version: {
    args: readonly string[]
    read: (stdout: string) => string | undefined
    /** Older ones have other commands and variables; undefined if none is too old. */
    oldest: readonly [major: number, minor: number] | undefined
  }
  selectWorkspace: (name: string) => string[]
  /** Where the data of an initialised directory are: `.terraform`, unless TF_DATA_DIR says otherwise. */
  dataDir: (directory: string, all: Readonly<Record<string, string>>) => string | undefined
  /** What a person should do about a failure, of which these are the errors. */
  advice: (errors: string) => string
}

const Version = z.object({ terraform_version: z.string() })

const jsonVersion = (stdout: string): string | undefined => {
  try {
    return Version.safeParse(JSON.parse(stdout)).data?.terraform_version
  } catch {
    return undefined
  }
}

const terraform: Dialect = {
  environment: {},
  refused: [],
  version: { args: ['version', '-json'], read: jsonVersion, oldest: undefined },
  selectWorkspace: (name) => ['workspace', 'select', '-or-create', name],
  dataDir: (directory, all) => resolve(directory, all.TF_DATA_DIR ?? '.terraform'),
  advice: () => '',
}

/** `.terragrunt-cache/<of the unit>/<of the source>/<directory in it>/.terraform`, the one that was written last. */
const cachedDataDir = (directory: string, downloads: string, name: string): string | undefined => {
  const found = globSync(`*/*/**/${name}/terraform.tfstate`, {
    cwd: downloads,
    exclude: (path) => /(?:^|[\\/])(?:\.git|\.terraform[\\/](?:modules|providers))$/.test(path),
  })
  const all = [join(directory, name), ...found.map((path) => join(downloads, dirname(path)))]
  const written = (path: string): number =>
    statSync(join(path, 'terraform.tfstate'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  return all.filter((path) => written(path) > 0).sort((a, b) => written(b) - written(a))[0]
}

/** Source: docs.terragrunt.com, 'CLI'. Output of the tool that it runs is passed on as it is, and not as lines of its own log. */
const terragrunt: Dialect = {
  environment: { TG_NON_INTERACTIVE: 'true', TG_NO_COLOR: 'true', TG_TF_FORWARD_STDOUT: 'true' },
  refused: ['TG_WORKING_DIR', 'TG_CONFIG', 'TG_ALL'],
  version: {
    args: ['--version'],
    read: (stdout) => /\bv?(\d+\.\d+\.\d+(?:-[\w.-]+)?)/.exec(stdout.slice(0, 1000))?.[1],
    // `run --`, and TG_ before the names of variables
    oldest: [0, 88],
  },
  selectWorkspace: (name) => ['run', '--', 'workspace', 'select', '-or-create', name],
  dataDir: (directory, all) => {
    const name = all.TF_DATA_DIR ?? '.terraform'
    if (name.startsWith('/')) return name
    return cachedDataDir(directory, resolve(directory, all.TG_DOWNLOAD_DIR ?? '.terragrunt-cache'), name)
  },
  advice: (errors) =>
    errors.includes('detected no outputs')
      ? ': a dependency has no outputs yet. Apply it first, or give it mock_outputs, with init, plan and show among mock_outputs_allowed_terraform_commands'
      : '',
}

export const dialectOf = (tool: ToolName): Dialect => (tool === 'terragrunt' ? terragrunt : terraform)

/** Says what is wrong with a version of a tool that is too old to be run, if it is. */
export const tooOld = (tool: ToolName, program: string, version: string): string | undefined => {
  const { oldest } = dialectOf(tool).version
  if (oldest === undefined) return undefined
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOlder = major < oldest[0] || (major === oldest[0] && minor < oldest[1])
  return isOlder ? `svc needs ${tool} ${oldest.join('.')} or newer, but ${program} is ${version}` : undefined
}
