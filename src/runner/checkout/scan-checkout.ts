import type { RepoConfig } from '#domain/config/config-file.ts'
import type { Environment } from '../environment.ts'
import type { GivenListing } from '../scan/listing.ts'
import { type Scan, scanRepository } from '../scan/scan-repository.ts'
import { type Checkout, originOf } from './checkout.ts'

export type ScanWanted = {
  checkout: Checkout
  config: RepoConfig
  /** `owner/name`; worked out from the checkout if left out. */
  repo?: string | undefined
  sha?: string | undefined
  /** What discover.command lists besides. */
  listed?: GivenListing | undefined
  /** Whether results of earlier scans may be used: not with --no-cache. */
  isCached: boolean
}

/** The commit id of a tree that has none. */
const noCommit = '0'.repeat(40)

/** Scans a checkout into its graph, under the name that the job or the person gives it. */
export const scanCheckout = async (
  { checkout, config, repo, sha, isCached, listed }: ScanWanted,
  environment: Environment,
): Promise<Scan> => {
  const origin = await originOf(checkout.root, environment, repo)
  const scan = await scanRepository({
    dir: checkout.root,
    ...origin,
    sha: sha ?? checkout.head ?? noCommit,
    config,
    ...(listed?.listing === undefined ? {} : { listing: listed.listing }),
    ...(isCached ? { cacheDir: environment.cacheDir } : {}),
  })
  return { ...scan, warnings: [...(listed?.warnings ?? []), ...scan.warnings] }
}
