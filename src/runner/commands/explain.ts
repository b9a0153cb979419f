import { nearest } from '#domain/edit-distance.ts'
import { explainer } from '#domain/explain/explain.ts'
import type { Explanation } from '#domain/explain/explanation.ts'
import { readAloud } from '#domain/explain/read-aloud.ts'
import type { Graph } from '#domain/graph/graph.ts'
import { trimEndOf } from '#domain/texts/trim.ts'
import { Problem } from '#errors.ts'
import { changedSince } from '../checkout/changed-paths.ts'
import { openCheckout } from '../checkout/checkout.ts'
import { askGit } from '../checkout/git.ts'
import { namedPaths } from '../checkout/named-paths.ts'
import { readRepoConfig, repoConfigAt } from '../checkout/repo-config.ts'
import { scanCheckout } from '../checkout/scan-checkout.ts'
import { tellScanWarnings } from '../checkout/tell-warnings.ts'
import { defineCommand, usageProblem } from '../command.ts'
import { exit } from '../exit.ts'
import { moduleCalls } from '../explain/module-calls.ts'
import { listingFlags, listStacks } from '../listing/list-stacks.ts'
import { shown } from '../print/table.ts'
import { baseView } from '../resolve/gather.ts'

/** What is compared with if nothing is named, as svc resolve does. */
const DEFAULT_BASE = 'origin/HEAD'

/** The stacks that a word names: one by its key, or all instances of a directory. */
const stacksNamed = ({ stacks }: Pick<Graph, 'stacks'>, word: string): string[] => {
  const own = stacks.filter(({ external }) => !external)
  const key = trimEndOf(word, '/')
  const exact = own.filter((stack) => stack.key === key)
  const found = exact.length > 0 ? exact : own.filter(({ path }) => path === key)
  if (found.length > 0) return found.map((stack) => stack.key)
  const meant = nearest(
    key,
    own.map((stack) => stack.key),
  )
  throw new Problem('not_found', `there is no stack ${word}${meant === undefined ? '' : `: did you mean ${meant}?`}`)
}

/** What differs from a commit; without one, from where the default branch is, if git knows that. */
const changedFrom = async (root: string, base: string | undefined): Promise<string[]> => {
  if (base !== undefined) return await changedSince(root, base)
  if ((await askGit(root, 'rev-parse', '--verify', '--quiet', DEFAULT_BASE)) === undefined)
    throw new Problem('invalid', `git does not know ${DEFAULT_BASE} here: give --base=COMMIT, or --changed=PATH`)
  return await changedSince(root, DEFAULT_BASE)
}

const paintOf = ({ affected }: Explanation): 'yellow' | 'green' => (affected ? 'yellow' : 'green')

export const explain = defineCommand({
  name: 'explain',
  usage: 'STACK [--changed=PATH … | --base=COMMIT] [flags]',
  text: `Says by which changed file, and over which modules and dependencies, a change affects a stack; or where the changed files belong
instead. STACK is the key of a stack, or a directory for all its instances. With --changed for changes of these paths; with --base
for everything that differs from where this branch left that commit, uncommitted and new files included; with neither, from
${DEFAULT_BASE}. By the same rules as svc resolve, without the service, but without the default branch's own graph. Exits 0 when the
stack is not affected, 2 when it is.`,
  flags: {
    changed: { says: 'a changed path', value: 'PATH', multiple: true },
    base: { says: 'the commit to compare with', value: 'COMMIT' },
    ...listingFlags,
    'no-cache': { says: 'parse every file again, whatever earlier scans found' },
  },
  operands: 1,
  run: async ({ values, operands: [word] }, context) => {
    const { environment, output, cwd } = context
    const { changed, base = DEFAULT_BASE } = values
    if (word === undefined) throw usageProblem('explain', 'STACK is missing: the key of a stack')
    if (changed !== undefined && values.base !== undefined)
      throw usageProblem('explain', '--changed and --base exclude each other')
    const checkout = await openCheckout(cwd)
    const { root, head: sha = '' } = checkout
    const config = await readRepoConfig(root, output)
    output.progress('scanning')
    const listed = await listStacks({ root, config }, values, { environment, output, cwd })
    const scan = await scanCheckout({ checkout, config, listed, isCached: values['no-cache'] !== true }, environment)
    tellScanWarnings(output, scan.warnings)
    const { graph } = scan
    const changedPaths =
      changed === undefined ? await changedFrom(root, values.base) : await namedPaths(root, context, changed)
    const baseConfig = changed === undefined ? await repoConfigAt(root, base) : undefined
    const gathered = {
      ...{ checkout, sha, baseSha: base, config, baseConfig, graph, listed },
      changedPaths,
      stacks: undefined,
    }
    const explained = explainer({ graph, config, changedPaths, defaultBranch: await baseView(gathered, context) })
    const explanations = stacksNamed(graph, word).flatMap((key) => explained(key) ?? [])
    const named = moduleCalls(root)
    const told = explanations.map((one) => ({
      ...one,
      causes: one.causes.map((cause) => ({ ...cause, steps: cause.steps.map(named) })),
    }))
    output.answer({ stacks: told })
    for (const one of told) {
      const [first = '', ...others] = readAloud(one).map(shown)
      output.print(`${output.paint(paintOf(one), first)}\n${others.map((line) => `${line}\n`).join('')}`)
    }
    return told.some(({ affected }) => affected) ? exit.changes : exit.ok
  },
})
