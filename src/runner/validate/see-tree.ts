import { basename, dirname } from 'node:path'
import { configFileName, type RepoConfig } from '#domain/config/config-file.ts'
import { Problem } from '#errors.ts'
import { askGit } from '../checkout/git.ts'
import { scanCheckout } from '../checkout/scan-checkout.ts'
import type { Context } from '../command.ts'
import { type ListingValues, listStacks } from '../listing/list-stacks.ts'
import type { GivenListing } from '../scan/listing.ts'
import { openTree } from '../scan/tree/tree.ts'
import type { Finding } from './finding.ts'
import type { SeenTree } from './seen.ts'

/** The tree that a configuration speaks of, as far as it can be seen, and what the scan itself finds wrong with the file. */
export type Looked = { seen?: SeenTree; isWhole: boolean; findings: Finding[]; notes: string[] }

/**
 * The directory that a configuration file speaks of. One of its own name speaks of where it is, as `svc scan DIR` takes it; one of
 * another name, of the checkout that it is in. Outside of any there is none: whatever is beside it is nobody's repository.
 */
const rootOf = async (path: string): Promise<string | undefined> => {
  const dir = dirname(path)
  if (basename(path) === configFileName) return dir
  return (await askGit(dir, 'rev-parse', '--show-toplevel'))?.trim() || undefined
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What the scan says of svc.yml is a fault of the file; anything else is the tree's. */
const ofFile = 'svc.yml: '

type Asked = { config: RepoConfig; values: ListingValues; context: Context }

const scanned = async (root: string, { config, context }: Asked, listed: GivenListing): Promise<SeenTree> => {
  const wanted = { checkout: { root, head: undefined }, config, listed, isCached: false }
  const { graph, warnings } = await scanCheckout(wanted, context.environment)
  const { tree } = await openTree(root)
  return {
    repo: graph.repo,
    stacks: graph.stacks.filter(({ external }) => !external),
    withoutFiles: warnings.flatMap(({ code, stacks = [] }) => (code === 'no_instance' ? stacks : [])),
    tree: await tree(),
  }
}

/** What discover.command lists; a file that is named in its place must be there. */
const listedFor = async (root: string, { config, values, context }: Asked): Promise<GivenListing | string> => {
  try {
    return await listStacks({ root, config }, values, context)
  } catch (error) {
    if (values.discover !== undefined) throw error
    return textOf(error)
  }
}

/** A command that only the edited file has lists stacks that nobody knows yet. */
const whyUnlisted = ({ discover }: RepoConfig, { listing, warnings }: GivenListing): string | undefined =>
  discover.command === undefined || (listing !== undefined && warnings.length === 0)
    ? undefined
    : "discover.command is not run, since the default branch's is not the same (svc validate --trust-config runs it)"

/** Scans the tree of a valid configuration. A tree that cannot be read says nothing against the file, and is a note. */
export const seeTree = async (path: string, asked: Asked): Promise<Looked> => {
  const unseen = (note: string): Looked => ({ isWhole: false, findings: [], notes: [note] })
  const root = await rootOf(path)
  if (root === undefined)
    return unseen('what the file names is not looked for: it is in no git repository, and is not called svc.yml')
  const given = await listedFor(root, asked)
  const listed = typeof given === 'string' ? { warnings: [] } : given
  const why = typeof given === 'string' ? given : whyUnlisted(asked.config, given)
  const isWhole = why === undefined
  const notes = isWhole ? [] : [`stacks that the file names are not looked for: ${why}`]
  asked.context.output.progress(`scanning ${root}`)
  try {
    return { seen: await scanned(root, asked, listed), isWhole, findings: [], notes }
  } catch (error) {
    const text = textOf(error)
    if (error instanceof Problem && text.startsWith(ofFile))
      return { isWhole: false, findings: [{ path: [], message: text.slice(ofFile.length) }], notes }
    return unseen(`what the file names is not looked for: ${root} cannot be scanned: ${text}`)
  } finally {
    asked.context.output.progress('')
  }
}
