import type { RepoConfig } from '#domain/config/config-file.ts'
import { Problem } from '#errors.ts'
import { changedBetween } from '../checkout/changed-paths.ts'
import { type Checkout, openCheckout } from '../checkout/checkout.ts'
import { askGit } from '../checkout/git.ts'
import { readRepoConfig, repoConfigAt } from '../checkout/repo-config.ts'
import { scanCheckout } from '../checkout/scan-checkout.ts'
import { tellScanWarnings } from '../checkout/tell-warnings.ts'
import type { Context } from '../command.ts'
import { listStacks } from '../listing/list-stacks.ts'
import type { GivenListing } from '../scan/listing.ts'
import type { Scan } from '../scan/scan-repository.ts'

export type ResolveFlags = {
  pr?: string
  sha?: string
  base?: string
  repo?: string
  stack?: string[]
  'no-cache'?: boolean
}

/** Everything known of a change without the service. */
export type Gathered = {
  checkout: Checkout
  sha: string
  baseSha: string
  config: RepoConfig
  /** The base's configuration; undefined if it cannot be read. */
  baseConfig: RepoConfig | undefined
  graph: Scan['graph']
  /** What discover.command lists, whatever the configuration. */
  listed: GivenListing
  changedPaths: string[]
  stacks: string[] | undefined
}

const commitNamed = async (root: string, name: string, flag: string): Promise<string> => {
  const sha = (await askGit(root, 'rev-parse', '--verify', '--quiet', `${name}^{commit}`))?.trim()
  if (sha) return sha
  throw new Problem(
    'invalid',
    `${flag}: the checkout has no commit ${name}: fetch it (fetch-depth: 0 of actions/checkout)`,
  )
}

/** The head that is checked out: the graph of another tree under this commit's name would be believed. */
const headOf = (checkout: Checkout, wanted: string | undefined): string => {
  const { head, root } = checkout
  if (head === undefined) throw new Problem('invalid', `${root} is not a git checkout with a commit`)
  if (wanted === undefined || wanted === head) return head
  throw new Problem(
    'invalid',
    `${head} is checked out, but the head of the change is ${wanted}: give actions/checkout ref: github.event.pull_request.head.sha`,
  )
}

/** Reads the checkout: its configuration, its graph and the changed paths. It checks nothing out. */
export const gather = async (
  values: ResolveFlags,
  event: { headSha: string; baseSha: string; defaultBranch?: string | undefined } | undefined,
  context: Context,
): Promise<Gathered> => {
  const { environment, output, cwd } = context
  const checkout = await openCheckout(cwd)
  const { root } = checkout
  const sha = headOf(checkout, values.sha ?? event?.headSha)
  const config = await readRepoConfig(root, output)
  const baseSha = await commitNamed(root, values.base ?? event?.baseSha ?? 'origin/HEAD', '--base')
  const listed = await listStacks({ root, config, defaultBranch: event?.defaultBranch }, {}, context)
  output.progress('scanning')
  const wanted = { checkout, config, listed, repo: values.repo, sha, isCached: values['no-cache'] !== true }
  const [{ graph, warnings }, changedPaths, baseConfig] = await Promise.all([
    scanCheckout(wanted, environment),
    changedBetween(root, baseSha, sha),
    repoConfigAt(root, baseSha),
  ])
  tellScanWarnings(output, warnings)
  return { checkout, sha, baseSha, config, baseConfig, graph, listed, changedPaths, stacks: values.stack }
}

/** The base's view of the same files, if its configuration differs. */
export const baseView = async (
  { checkout, config, baseConfig, graph, listed }: Gathered,
  { environment }: Context,
): Promise<{ config: RepoConfig; graph: Scan['graph'] } | undefined> => {
  if (baseConfig === undefined || JSON.stringify(baseConfig) === JSON.stringify(config)) return undefined
  const { repo, sha } = graph
  const scan = await scanCheckout({ checkout, config: baseConfig, listed, repo, sha, isCached: false }, environment)
  return { config: baseConfig, graph: scan.graph }
}
