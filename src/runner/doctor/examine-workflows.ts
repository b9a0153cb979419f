import { resolve } from 'node:path'
import { runWorkflow } from '#domain/run-name.ts'
import type { Checkout } from '../checkout/checkout.ts'
import { askGit } from '../checkout/git.ts'
import { readText } from '../checkout/repo-config.ts'
import { version } from '../version.ts'
import { shippedWorkflow, shippedWorkflows, workflowPath } from '../workflows/shipped.ts'
import { workflowProblems } from './examine-workflow.ts'
import { type Finding, findingsOf } from './finding.ts'
import { comparedWithShipped } from './same-as-shipped.ts'
import { clientPins, workflowWarnings } from './workflow-warnings.ts'

const { ok, warn, fail, skip } = findingsOf('workflows')

const defaultBranch = 'origin/HEAD'

const fromInit = 'fix it, or take it from svc init --dry-run'

/** Plans run from the pull request's own file, waves from the default branch's. */
type Place = 'counts' | 'not merged' | 'not known'

type Found = { name: (typeof shippedWorkflows)[number]; text: string | undefined; place: Place }

const find = async ({ root }: Checkout, name: Found['name']): Promise<Found> => {
  const here = await readText(resolve(root, workflowPath(name)))
  if (name !== runWorkflow) return { name, text: here, place: 'counts' }
  const isKnown = (await askGit(root, 'rev-parse', '--verify', '--quiet', defaultBranch)) !== undefined
  const merged = isKnown ? await askGit(root, 'show', `${defaultBranch}:${workflowPath(name)}`) : undefined
  if (merged !== undefined) return { name, text: merged, place: 'counts' }
  return { name, text: here, place: isKnown ? 'not merged' : 'not known' }
}

const examineOne = async ({ name, text, place }: Found): Promise<Finding[]> => {
  const path = workflowPath(name)
  if (text === undefined) return [fail(`there is no ${path}`, 'svc init writes it')]
  const problems = workflowProblems(name, text)
  if (problems.length > 0) return [fail(`${path}: ${problems.join('; ')}`, fromInit)]
  const warnings = workflowWarnings(name, text, version).map((said) => warn(`${path}: ${said}`, fromInit))
  if (place === 'not merged')
    return [fail(`${path} is not on the default branch, and it counts only there`, 'merge it'), ...warnings]
  const says = comparedWithShipped(text, await shippedWorkflow(name))
  if (place === 'counts') return [ok(`${path} ${says}`), ...warnings]
  const unsure = `${path} ${says}; git does not know whether it is on the default branch`
  return [skip(unsure, 'git remote set-head origin --auto'), ...warnings]
}

/** A plan is applied by the version that made it, or what it says may be read otherwise. */
const examinePins = (found: readonly Found[]): Finding[] => {
  const pins = found.map(({ text }) => clientPins(text ?? '').join(', '))
  const [plan, run] = pins
  if (plan === undefined || run === undefined || plan === '' || run === '' || plan === run) return []
  const [first, second] = found.map(({ name }) => name)
  return [warn(`${first} takes svc ${plan}, and ${second} takes ${run}`, 'take the same version in both')]
}

/** Examines the two workflows, svc-run.yml as the default branch has it. */
export const examineWorkflows = async (checkout: Checkout): Promise<Finding[]> => {
  const found = await Promise.all(shippedWorkflows.map((name) => find(checkout, name)))
  return [...(await Promise.all(found.map(examineOne))).flat(), ...examinePins(found)]
}
