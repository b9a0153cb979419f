import { shortSha } from '#domain/run-report.ts'
import { isDone, isOpen, type StackStatus } from '#domain/run-status.ts'
import type { PlanFact, PlanStack, PullFacts } from '../facts.ts'
import type { Judge } from '../judge.ts'
import { listedStacks } from '../listed.ts'
import { stacksAsked } from '../rules/take-rules.ts'
import { type Objection, unlessObjected } from '../verdict.ts'

const replan = 'Comment `svc plan`, or re-run all jobs'

const moved = ({ askedSha, pull }: PullFacts): Objection[] =>
  askedSha === undefined || askedSha === pull.headSha
    ? []
    : [
        {
          verdict: 'fail',
          name: 'head',
          what: `The head moved from ${shortSha(askedSha)} to ${shortSha(pull.headSha)} after the apply was asked for`,
          next: 'Read the plan of the new commit, then ask again',
        },
      ]

const missing = ({ pull }: PullFacts): Objection => ({
  verdict: 'fail',
  name: 'missing',
  what: `There is no plan of ${shortSha(pull.headSha)}${pull.fork ? ': jobs of a fork get no token to report with' : ''}`,
  next: pull.fork
    ? 'Push the branch to this repository and open the pull request from it'
    : 'See whether the plan workflow ran for this commit: it does not while the pull request conflicts with its base',
})

const older = (plan: PlanFact, { pull }: PullFacts): Objection[] =>
  plan.sha === pull.headSha
    ? []
    : [
        {
          verdict: 'fail',
          name: 'older_commit',
          what: `The plan is of ${shortSha(plan.sha)}, and the head is ${shortSha(pull.headSha)}`,
          next: 'Wait for the plan of the head, then ask again',
        },
      ]

/** If a run failed or is unconfirmed, its stacks show which of them cannot be applied. */
const unfinished = (plan: PlanFact): Objection[] => {
  if (isOpen(plan.status))
    return [
      {
        verdict: 'pending',
        name: 'planning',
        what: 'The plan is not finished',
        next: 'Wait until every stack is planned, then ask again',
      },
    ]
  if (plan.status === 'superseded')
    return [
      {
        verdict: 'fail',
        name: 'superseded',
        what: 'A newer commit has replaced the planned one',
        next: 'Wait for its plan, then ask again',
      },
    ]
  if (plan.failure === undefined) return []
  return [{ verdict: 'fail', name: 'resolution', what: `The plan failed: ${plan.failure}`, next: 'Fix it and push' }]
}

type Wrong = Pick<Objection, 'verdict' | 'next'> & { is: string }

const wrongs: Partial<Record<StackStatus, Wrong>> = {
  pending: { verdict: 'pending', is: 'not planned yet', next: 'Wait until every stack is planned, then ask again' },
  planning: { verdict: 'pending', is: 'being planned', next: 'Wait until every stack is planned, then ask again' },
  failed: {
    verdict: 'fail',
    is: 'not planned: the plan failed',
    next: 'Fix what failed and push, or comment `svc plan`',
  },
  unconfirmed: {
    verdict: 'fail',
    is: 'planned without the service, which cannot confirm it',
    next: replan,
  },
  unknown: { verdict: 'fail', is: 'not planned: a job ended without a report', next: replan },
}

const other: Wrong = { verdict: 'fail', is: 'not planned', next: replan }

const unplanned = (stacks: readonly PlanStack[]): Objection[] => {
  const byStatus = new Map<StackStatus, string[]>()
  for (const { key, status } of stacks) {
    if (isDone(status)) continue
    const known = byStatus.get(status)
    if (known === undefined) byStatus.set(status, [key])
    else known.push(key)
  }
  return [...byStatus]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([status, keys]) => {
      const { verdict, is, next } = wrongs[status] ?? other
      const what = `${listedStacks(keys.sort())} ${keys.length === 1 ? 'is' : 'are'} ${is}`
      return { verdict, name: status, what, next, stacks: keys }
    })
}

/** A plan is out of date if somebody has changed the stack since: applied, it could undo that change. */
const overtaken = (stacks: readonly PlanStack[]): Objection[] => {
  const byChange = new Map<string, string[]>()
  for (const { key, overtaken: by } of stacks) {
    if (by === undefined) continue
    const name = by.prNumber === undefined ? `run ${by.runId}` : `#${by.prNumber}`
    const known = byChange.get(name)
    if (known === undefined) byChange.set(name, [key])
    else known.push(key)
  }
  return [...byChange].map(([name, keys]) => ({
    verdict: 'fail',
    name: 'overtaken',
    what: `${listedStacks(keys.sort())} ${keys.length === 1 ? 'was' : 'were'} changed by ${name} after being planned here`,
    next: 'Update the branch with its base, or comment `svc plan` if it is up to date, and read the new plan',
    stacks: keys,
  }))
}

/** Of the same commit too, a plan that is made again may do something else. */
const unread = (stacks: readonly PlanStack[]): Objection[] => {
  const keys = stacks.flatMap(({ key, unread }) => (unread ? key : [])).sort()
  if (keys.length === 0) return []
  const what = `${listedStacks(keys)} ${keys.length === 1 ? 'was' : 'were'} planned after the apply was asked for`
  return [
    { verdict: 'fail', name: 'unread', what, next: 'Read that plan, then comment `svc apply` again', stacks: keys },
  ]
}

const absent = ({ plan, stacks = [] }: PullFacts): Objection[] => {
  const known = new Set(plan?.stacks.map(({ key }) => key))
  const keys = stacks.filter((key) => !known.has(key)).sort()
  if (keys.length === 0) return []
  const what = `${listedStacks(keys)} ${keys.length === 1 ? 'is' : 'are'} not part of the plan`
  return [{ verdict: 'fail', name: 'not_planned', what, next: 'Name stacks that the plan has', stacks: keys }]
}

/** A merge that affects no stack needs no comment; somebody who asks for an apply gets the answer that there is none. */
const nothing = (facts: PullFacts): Objection[] =>
  facts.how === 'on_merge' || facts.plan?.status !== 'planned' || facts.plan.stacks.length > 0
    ? []
    : [{ verdict: 'fail', name: 'nothing', what: 'The plan affects no stack', next: 'There is nothing to apply' }]

/** Every stack of the apply has a plan of the head commit. */
export const judgePlan: Judge = (facts) => {
  const { plan } = facts
  if (plan === null) return unlessObjected('', [], [...moved(facts), missing(facts)])
  const stacks = stacksAsked(facts)
  const planned = stacks.filter(({ status }) => isDone(status)).length
  const text = `${planned} of ${stacks.length} stacks are planned at ${shortSha(plan.sha)}`
  const evidence = [{ holds: planned === stacks.length, text, sha: plan.sha, run_id: plan.runId }]
  return unlessObjected('Every stack is planned at the head commit', evidence, [
    ...moved(facts),
    ...older(plan, facts),
    ...unfinished(plan),
    ...unplanned(stacks),
    ...unread(stacks),
    ...overtaken(stacks),
    ...absent(facts),
    ...nothing(facts),
  ])
}
