import type { RepoConfig } from '#domain/config-file.ts'
import { Problem } from '#errors.ts'
import { changedBetween } from '../checkout/changed-paths.ts'
import { type Checkout, openCheckout } from '../checkout/checkout.ts'
import { askGit } from '../checkout/git.ts'
import { readRepoConfig, repoConfigAt } from '../checkout/repo-config.ts'
import { scanCheckout, tellScanWarnings } from '../checkout/scan-checkout.ts'
import type { Context } from '../command.ts'
import type { Scan } from '../scan/scan-repository.ts'

export type ResolveFlags = {
  pr?: string
  sha?: string
  base?: string
  repo?: string
  stack?: string[]
  'no-cache'?: boolean
}

/** All that is known of a change without the service. */
export type Gathered = {
  checkout: Checkout
  sha: string
  baseSha: string
  config: RepoConfig
  /** Of the base; undefined where it cannot be read. */
  baseConfig: RepoConfig | undefined
  graph: Scan['graph']
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

/** The head as it is checked out: the graph of another tree under this commit's name would be believed. */
const headOf = (checkout: Checkout, wanted: string | undefined): string => {
  const { head, root } = checkout
  if (head === undefined) throw new Problem('invalid', `${root} is no checkout of git with a commit`)
  if (wanted === undefined || wanted === head) return head
  throw new Problem(
    'invalid',
    `${head} is checked out, and the pull request's head is ${wanted}: give actions/checkout ref: github.event.pull_request.head.sha`,
  )
}

/** Reads the checkout: its configuration, its graph and what changed. Nothing is checked out for it. */
export const gather = async (
  values: ResolveFlags,
  event: { headSha: string; baseSha: string } | undefined,
  { environment, output, cwd }: Context,
): Promise<Gathered> => {
  const checkout = await openCheckout(cwd)
  const { root } = checkout
  const sha = headOf(checkout, values.sha ?? event?.headSha)
  const config = await readRepoConfig(root, output)
  const baseSha = await commitNamed(root, values.base ?? event?.baseSha ?? 'origin/HEAD', '--base')
  output.progress('scanning')
  const wanted = { checkout, config, repo: values.repo, sha, isCached: values['no-cache'] !== true }
  const [{ graph, warnings }, changedPaths, baseConfig] = await Promise.all([
    scanCheckout(wanted, environment),
    changedBetween(root, baseSha, sha),
    repoConfigAt(root, baseSha),
  ])
  tellScanWarnings(output, warnings)
  return { checkout, sha, baseSha, config, baseConfig, graph, changedPaths, stacks: values.stack }
}

/** What the base would make of the same files, where its configuration is another. */
export const baseView = async (
  { checkout, config, baseConfig, graph }: Gathered,
  { environment }: Context,
): Promise<{ config: RepoConfig; graph: Scan['graph'] } | undefined> => {
  if (baseConfig === undefined || JSON.stringify(baseConfig) === JSON.stringify(config)) return undefined
  const { repo, sha } = graph
  const scan = await scanCheckout({ checkout, config: baseConfig, repo, sha, isCached: false }, environment)
  return { config: baseConfig, graph: scan.graph }
}
