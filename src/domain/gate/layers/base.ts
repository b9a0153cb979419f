import { compileGlobs } from '#domain/config/glob.ts'
import type { Judge } from '../judge.ts'
import { listed } from '../listed.ts'
import { unknown, unlessObjected } from '../verdict.ts'
import { noPolicy } from './config.ts'

/**
 * The pull request goes into a branch that the policy names; without any, into the default branch. Its author chooses the base:
 * against a branch of their own making it shows few changes, or none, and asks no owner.
 */
export const judgeBase: Judge = ({ pull: { baseRef, defaultBranch } }, policy) => {
  const evidence = (holds: boolean) => [{ holds, text: `into ${baseRef}` }]
  if (policy === undefined) return unknown(noPolicy, evidence(baseRef === defaultBranch))
  const { base_branches: named } = policy
  const isNamed = named === undefined ? baseRef === defaultBranch : compileGlobs(named)(baseRef)
  const which =
    named === undefined ? `the default branch ${defaultBranch}` : `a branch of apply.base_branches (${listed(named)})`
  const objection = {
    verdict: 'fail' as const,
    name: 'base',
    what: `The pull request goes into ${baseRef}, and is applied only into ${which}`,
    next: 'Change its base, or name the branch in apply.base_branches on the default branch',
  }
  return unlessObjected(`Pull requests into ${baseRef} are applied`, evidence(isNamed), isNamed ? [] : [objection])
}
