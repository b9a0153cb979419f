import { resolve as resolvePath } from 'node:path'
import { changedSince } from '../checkout/changed-paths.ts'
import { openCheckout } from '../checkout/checkout.ts'
import { namedPaths } from '../checkout/named-paths.ts'
import { readRepoConfig } from '../checkout/repo-config.ts'
import { scanCheckout } from '../checkout/scan-checkout.ts'
import { tellScanWarnings } from '../checkout/tell-warnings.ts'
import { defineCommand, usageProblem } from '../command.ts'
import { exit } from '../exit.ts'
import { listingFlags, listStacks } from '../listing/list-stacks.ts'
import { localAnswer } from '../resolve/local-answer.ts'
import { printResolution } from '../resolve/show-resolution.ts'

export const order = defineCommand({
  name: 'order',
  usage: '[--changed=PATH … | --base=COMMIT | --stack=KEY …] [flags]',
  text: `With --changed for changes of these paths; with --base for everything that differs from where this branch left that commit,
uncommitted and new files included; with --stack of these stacks alone, named by key, directory or tag:TAG; with none of them, the
order of all stacks. --json has the scan's warnings, too. Exits 0 when no stack is affected, 2 when some are.`,
  flags: {
    changed: { says: 'a changed path', value: 'PATH', multiple: true },
    base: { says: 'the commit to compare with', value: 'COMMIT' },
    stack: {
      says: 'a stack by its key, those of a directory, or those with a tag (tag:TAG)',
      value: 'KEY',
      multiple: true,
    },
    config: { says: "read this file instead of the repository's svc.yml", value: 'FILE' },
    ...listingFlags,
    'no-cache': { says: 'parse every file again, whatever earlier scans found' },
  },
  operands: 0,
  run: async ({ values }, { environment, output, cwd }) => {
    const { changed, base, stack: named, config: file } = values
    if ([changed, base, named].filter((one) => one !== undefined).length > 1)
      throw usageProblem('order', '--changed, --base and --stack exclude each other')
    const checkout = await openCheckout(cwd)
    const { root } = checkout
    const config = await readRepoConfig(root, output, file === undefined ? undefined : resolvePath(cwd, file))
    output.progress('scanning')
    const listed = await listStacks({ root, config }, values, { environment, output, cwd })
    const scan = await scanCheckout({ checkout, config, listed, isCached: values['no-cache'] !== true }, environment)
    tellScanWarnings(output, scan.warnings)
    const { graph } = scan
    const isAll = changed === undefined && base === undefined && named === undefined
    const changedPaths =
      base === undefined ? await namedPaths(root, { cwd, output }, changed ?? []) : await changedSince(root, base)
    const all = (): string[] => graph.stacks.filter(({ external }) => !external).map(({ key }) => key)
    const stacks = isAll ? all() : named
    const answer = localAnswer({ graph, config, changedPaths, sha: graph.sha, stacks })
    printResolution(output, answer)
    output.answer({ ...answer, scan_warnings: scan.warnings })
    if (answer.cycles !== undefined) return exit.error
    return answer.affected.length > 0 ? exit.changes : exit.ok
  },
})
