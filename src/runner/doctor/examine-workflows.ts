import { resolve } from 'node:path'
import { runWorkflow } from '#domain/run-name.ts'
import type { Checkout } from '../checkout/checkout.ts'
import { askGit } from '../checkout/git.ts'
import { readText } from '../checkout/repo-config.ts'
import { shippedWorkflows, workflowPath } from '../workflows/shipped.ts'
import { workflowProblems } from './examine-workflow.ts'
import { type Finding, findingsOf } from './finding.ts'

const { ok, fail, skip } = findingsOf('workflows')

const defaultBranch = 'origin/HEAD'

const examineOne = async ({ root }: Checkout, name: (typeof shippedWorkflows)[number]): Promise<Finding> => {
  const path = workflowPath(name)
  const isKnown = (await askGit(root, 'rev-parse', '--verify', '--quiet', defaultBranch)) !== undefined
  const merged = isKnown ? await askGit(root, 'show', `${defaultBranch}:${path}`) : undefined
  // Plans run from the pull request's own file, waves from the default branch's.
  const counts =
    name === runWorkflow ? (merged ?? (await readText(resolve(root, path)))) : await readText(resolve(root, path))
  if (counts === undefined) return fail(`there is no ${path}`, 'svc init writes it')
  const problems = workflowProblems(name, counts)
  if (problems.length > 0) return fail(`${path}: ${problems.join('; ')}`, 'fix it, or take it from svc init --dry-run')
  if (name !== runWorkflow || merged !== undefined) return ok(`${path} has what is needed`)
  return isKnown
    ? fail(`${path} is not on the default branch, and it counts only there`, 'merge it')
    : skip(
        `${path} has what is needed here; git does not know whether it is on the default branch`,
        'git remote set-head origin --auto',
      )
}

/** Examines the two workflows, svc-run.yml as the default branch has it. */
export const examineWorkflows = (checkout: Checkout): Promise<Finding[]> =>
  Promise.all(shippedWorkflows.map((name) => examineOne(checkout, name)))
