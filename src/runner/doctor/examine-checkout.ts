import { resolve } from 'node:path'
import {
  type ConfigProblem,
  configFileName,
  defaultConfig,
  parseRepoConfig,
  type RepoConfig,
} from '#domain/config/config-file.ts'
import type { Graph } from '#domain/graph/graph.ts'
import { Problem } from '#errors.ts'
import type { Checkout } from '../checkout/checkout.ts'
import { askGit } from '../checkout/git.ts'
import { readText } from '../checkout/repo-config.ts'
import { scanCheckout } from '../checkout/scan-checkout.ts'
import type { Context } from '../command.ts'
import { listStacks } from '../listing/list-stacks.ts'
import { localAnswer } from '../resolve/local-answer.ts'
import type { GivenListing } from '../scan/listing.ts'
import { type Finding, findingsOf } from './finding.ts'

const git = findingsOf('git')
const configuration = findingsOf('configuration')

/** Whether the history is there: without all of it, the changes of a pull request may not be found. */
export const examineHistory = async ({ root, head }: Checkout): Promise<Finding> => {
  if (head === undefined)
    return git.fail('this is not a git checkout, or it has no commit', 'run svc where the repository is checked out')
  const isShallow = (await askGit(root, 'rev-parse', '--is-shallow-repository'))?.trim() === 'true'
  return isShallow
    ? git.warn(
        'the history is cut off, so svc resolve may not find what a pull request changed',
        'give actions/checkout fetch-depth: 0 in the job that resolves; jobs that plan can do without',
      )
    : git.ok('the whole history is here')
}

const atPlace = ({ key, message, line, column }: ConfigProblem): string =>
  `${configFileName}:${line}:${column}: ${key === '' ? '' : `${key}: `}${message}`

const readConfig = async (root: string): Promise<{ config?: RepoConfig; finding: Finding }> => {
  const text = await readText(resolve(root, configFileName))
  if (text === undefined) {
    const said = `there is no ${configFileName}, so all defaults hold`
    return { config: defaultConfig, finding: configuration.ok(said) }
  }
  const parsed = parseRepoConfig(text)
  if (parsed.ok) return { config: parsed.config, finding: configuration.ok(`${configFileName} is valid`) }
  const todo = `fix it: ${parsed.problems.map(atPlace).join('; ')}`
  return {
    finding: configuration.fail(`${configFileName} is invalid: every apply is refused until it is fixed`, todo),
  }
}

const examineGraph = (graph: Graph, config: RepoConfig, warnings: number): Finding => {
  const keys = graph.stacks.filter(({ external }) => !external).map(({ key }) => key)
  if (keys.length === 0)
    return configuration.fail(
      'no directory is a stack',
      `list them in ${configFileName} under discover.include: a directory named in full is a stack whatever is in it`,
    )
  const { cycles } = localAnswer({ graph, config, changedPaths: [], sha: graph.sha, stacks: keys })
  const [cycle] = cycles ?? []
  if (cycle !== undefined)
    return configuration.fail(`stacks wait for each other: ${cycle}`, 'take one of these edges away')
  return warnings === 0
    ? configuration.ok(`${keys.length === 1 ? 'one stack is' : `${keys.length} stacks are`} found`)
    : configuration.warn(`the scan of ${keys.length} stacks warns ${warnings} times`, 'svc scan prints the warnings')
}

/** Examines svc.yml and the graph it results in. The graph is absent if the file is invalid. */
export const examineConfiguration = async (
  checkout: Checkout,
  context: Context,
): Promise<{ findings: Finding[]; graph?: Graph }> => {
  const { config, finding } = await readConfig(checkout.root)
  if (config === undefined) return { findings: [finding] }
  let listed: GivenListing
  try {
    listed = await listStacks({ root: checkout.root, config }, {}, context)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { findings: [finding, configuration.fail(error.message, 'svc scan --trust-config tries the command')] }
  }
  const { graph, warnings } = await scanCheckout({ checkout, config, listed, isCached: true }, context.environment)
  return { findings: [finding, examineGraph(graph, config, warnings.length)], graph }
}
