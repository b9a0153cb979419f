import type { PullRequest } from '#codehost/port.ts'
import { findOpenApply, plannedShaAt } from '#db/applies.ts'
import { locksOnStacks } from '#db/locks.ts'
import type { Repository } from '#db/repositories.ts'
import type { PlanStack, PlanView } from '#db/views/plan-view.ts'
import { codeOwnersPaths, parseCodeOwners } from '#domain/code-owners.ts'
import type { PlanFact, PullFact } from '#domain/gate/facts.ts'
import { type AskedFacts, evaluateGate, type GateReport, type PullFacts } from '#domain/gate.ts'
import { gateLookups } from '#domain/gate-lookups.ts'
import { Problem } from '#errors.ts'
import type { Deps } from './deps.ts'
import type { GateSubject } from './gate-subject.ts'
import { repoRefOf } from './repo-ref.ts'

type GateDeps = Pick<Deps, 'pool' | 'codehost'>

/** Who asks the gate, how, and of what. */
export type GateAsking = {
  how: AskedFacts['how']
  requester?: string | undefined
  /** The commit that was asked for. */
  askedSha?: string | undefined
  /** When the apply was asked for by somebody who named no commit: what was planned last by then is what was meant. */
  askedAt?: Date | undefined
  /** Keys of the stacks to be applied; all of the plan without. */
  stacks?: readonly string[] | undefined
}

export type GatheredGate = { facts: PullFacts; report: GateReport }

/**
 * Gathers the facts of the apply gate and judges them. What only some policies ask for is asked of the code host only for
 * these. What cannot be had is left out, and refuses; a code host that cannot be reached rejects with `unavailable`.
 */
export const gatherGate = async (deps: GateDeps, subject: GateSubject, asking: GateAsking): Promise<GatheredGate> => {
  const facts = await gatherFacts(deps, await askedFacts(deps, subject, asking), subject)
  return { facts, report: evaluateGate(facts) }
}

const askedFacts = async (deps: GateDeps, subject: GateSubject, asking: GateAsking): Promise<AskedFacts> => {
  const { repository, pull, policy, plan } = subject
  const repo = repoRefOf(repository)
  const keys = asking.stacks ?? plan?.stacks.map(({ key }) => key) ?? []
  const asks = policy.ok ? policy.config.apply : undefined
  const asksOwners = asks?.code_owners === true
  // another base is refused for what it is: its file is the author's own, whose patterns may take hours for paths of theirs
  const readsOwners = asksOwners && pull.baseRef === repository.defaultBranch
  const [reviews, changedPaths, codeOwners, locks, otherApply, meant] = await Promise.all([
    asksOwners || (asks !== undefined && asks.approvals > 0) ? deps.codehost.listReviews(repo, pull.number) : [],
    readsOwners ? deps.codehost.listPullRequestPaths(repo, pull.number) : undefined,
    readsOwners ? readCodeOwners(deps, subject) : null,
    locksOnStacks(deps.pool, repository.id, keys),
    findOpenApply(deps.pool, repository.id, pull.number),
    asking.askedAt && plannedShaAt(deps.pool, repository.id, pull.number, asking.askedAt),
  ])
  const askedSha = asking.askedSha ?? meant
  // a plan of another commit is what is said then, and once
  const isPlanOfHead = plan?.sha === pull.headSha
  // what was planned only after somebody spoke is not what they spoke of
  const isPlanUnseen = asking.askedAt !== undefined && askedSha === undefined
  return {
    how: asking.how,
    policy,
    owner: repository.owner,
    ...(asking.requester === undefined ? {} : { requester: asking.requester }),
    ...(askedSha === undefined || !isPlanOfHead ? {} : { askedSha }),
    pull: pullFact(pull, repository),
    reviews,
    changedPaths: changedPaths ?? null,
    codeOwners,
    plan: plan === undefined || isPlanUnseen ? null : planFact(plan),
    ...(asking.stacks === undefined ? {} : { stacks: asking.stacks }),
    locks,
    otherApply: otherApply ?? null,
  }
}

/** The rest is asked about the people whose word counts: all at the same time, each once. */
const gatherFacts = async (
  { codehost }: GateDeps,
  asked: AskedFacts,
  { repository }: GateSubject,
): Promise<PullFacts> => {
  const wanted = gateLookups(asked)
  const repo = repoRefOf(repository)
  const [permissions, memberships] = await Promise.all([
    Promise.all(
      wanted.permissions.map(async (login) => {
        const permission = await codehost.permissionOf(repo, login).catch(undefinedIfForbidden)
        return permission === undefined ? [] : [{ login, permission }]
      }),
    ),
    Promise.all(
      wanted.memberships.map(async ({ team, login }) => {
        const [org = '', slug = ''] = team.split('/')
        const member = await codehost.isTeamMember(repository.installationId, { org, slug }, login)
        return { team, login, member: member ?? null }
      }),
    ),
  ])
  return { ...asked, permissions: permissions.flat(), memberships }
}

/** The app may not ask: that is a fact which is missing. */
const undefinedIfForbidden = (error: unknown): undefined => {
  if (error instanceof Problem && error.code === 'forbidden') return undefined
  throw error
}

const readCodeOwners = async (
  { codehost }: GateDeps,
  { repository, pull }: GateSubject,
): Promise<AskedFacts['codeOwners']> => {
  for (const path of codeOwnersPaths) {
    const text = await codehost.readFile(repoRefOf(repository), path, pull.baseRef)
    if (text !== undefined) return { path, file: parseCodeOwners(text) }
  }
  return null
}

const pullFact = (pull: PullRequest, { id: repoId, defaultBranch }: Repository): PullFact => ({
  number: pull.number,
  author: pull.author,
  headSha: pull.headSha,
  state: pull.state,
  merged: pull.mergedAt !== null,
  draft: pull.draft,
  fork: pull.headRepoId !== repoId,
  ...(pull.baseRef === defaultBranch ? {} : { otherBase: pull.baseRef }),
  mergeable: pull.mergeable,
  mergeableState: pull.mergeableState,
})

const overtakenBy = ({ run_id: runId, pr_number: prNumber }: NonNullable<PlanStack['overtaken']>) =>
  prNumber === null ? { runId } : { runId, prNumber }

const planFact = (plan: PlanView): PlanFact => ({
  runId: plan.id,
  sha: plan.sha,
  status: plan.status,
  stacks: plan.stacks.map(({ key, status, checks, overtaken }) => ({
    key,
    status,
    checks: checks.map(({ name, status: verdict, summary }) => ({
      name,
      status: verdict,
      ...(summary === null ? {} : { summary }),
    })),
    ...(overtaken ? { overtaken: overtakenBy(overtaken) } : {}),
  })),
  ...(plan.failure ? { failure: plan.failure.reason } : {}),
})
