import { resolve } from 'node:path'
import type { RepoConfig } from '#domain/config/config-file.ts'
import { Problem } from '#errors.ts'
import { readText, repoConfigAt } from '../checkout/repo-config.ts'
import type { Context, Flags } from '../command.ts'
import type { GivenListing } from '../scan/listing.ts'
import type { ScanWarning } from '../scan/warning.ts'
import { readListing } from './read-listing.ts'
import { runLister } from './run-lister.ts'

/** Flags of the commands that scan for a person. */
export const listingFlags = {
  discover: { says: 'take the listing of this file, as discover.command prints it, and run no command', value: 'FILE' },
  'trust-config': { says: "run discover.command of this checkout's svc.yml, not only the default branch's" },
} as const satisfies Flags

export type ListingValues = { discover?: string; 'trust-config'?: boolean }

const notRun = (why: string): ScanWarning => ({
  code: 'discover_not_run',
  message: `discover.command of this svc.yml is not run: ${why}. To try it on your machine: svc scan --trust-config`,
})

/** The configuration of the default branch, as far as this checkout knows it. */
const defaultBranchConfig = async (root: string, name: string | undefined): Promise<RepoConfig | undefined> =>
  await repoConfigAt(root, name === undefined ? 'refs/remotes/origin/HEAD' : `refs/remotes/origin/${name}`)

/** Which command may be run, and what a person should know of it. */
const commandOf = (
  own: string | undefined,
  defaults: RepoConfig | undefined,
): { command: string | undefined; warnings: ScanWarning[] } => {
  if (defaults === undefined) {
    const why = "the default branch's svc.yml cannot be read here, and only that one's command is run"
    return { command: undefined, warnings: own === undefined ? [] : [notRun(why)] }
  }
  const { command } = defaults.discover
  if (own === command) return { command, warnings: [] }
  const why =
    command === undefined
      ? 'the default branch has none yet'
      : "the default branch's is another one, and was run in its place"
  return { command, warnings: own === undefined ? [] : [notRun(why)] }
}

/**
 * Lists the stacks that a command of the repository knows. Only the default branch says which command is run: a pull request could
 * bring any. A person may trust the checkout, or give a file in place of the command.
 */
export const listStacks = async (
  { root, config, defaultBranch }: { root: string; config: RepoConfig; defaultBranch?: string | undefined },
  values: ListingValues,
  { environment, output, cwd }: Pick<Context, 'environment' | 'output' | 'cwd'>,
): Promise<GivenListing> => {
  const { discover: file, 'trust-config': isTrusted = false } = values
  if (file !== undefined) {
    const text = await readText(resolve(cwd, file))
    if (text === undefined) throw new Problem('not_found', `--discover=${file}: there is no such file`)
    return { listing: readListing(text, file), warnings: [] }
  }
  const own = config.discover.command
  const { command, warnings } = isTrusted
    ? { command: own, warnings: [] }
    : commandOf(own, await defaultBranchConfig(root, defaultBranch))
  if (command === undefined) return { warnings }
  output.progress(`running ${command}`)
  const text = await runLister(command, { root, all: environment.all })
  return { listing: readListing(text, 'discover.command'), warnings }
}
