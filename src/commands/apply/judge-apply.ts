import type { PullRequest } from '#codehost/port.ts'
import { locksOnStacks } from '#db/machines/locks.ts'
import type { Repository } from '#db/repositories/repositories.ts'
import { findOpenApply, plannedShaAt } from '#db/runs/applies.ts'
import { codeOwnersPaths } from '#domain/gate/code-owners.ts'
import { coveredPaths } from '#domain/gate/covered-paths.ts'
import { type AskedFacts, evaluateGate, type GateReport, type PullFacts } from '#domain/gate/evaluate-gate.ts'
import type { PullFact } from '#domain/gate/facts.ts'
import { factsWanted, type GateLookups, gateLookups } from '#domain/gate/gate-lookups.ts'
import { sameLogin } from '#domain/gate/people.ts'
import { Problem } from '#errors.ts'
import { inSteps } from '#portions.ts'
import type { Deps } from '../deps.ts'
import type { GateSubject } from './gate-subject.ts'
import { lockFact } from './lock-fact.ts'
import { readPlanFact } from './plan-fact.ts'
import { rulesInTime } from './rules-in-time.ts'

type GateDeps = Pick<Deps, 'pool' | 'codehost'>

/** Who asks the gate, how, and of what. */
export type GateAsking = {
  how: AskedFacts['how']
  requester?: string | undefined
  /** Of their account, where it is known: another may have its login by now. */
  requesterId?: number | undefined
  /** The commit that was asked for. */
  askedSha?: string | undefined
  /** When an apply without a commit was asked for: it means the last plan made by then. */
  askedAt?: Date | undefined
  /** Keys of the stacks to apply; all of the plan if absent. */
  stacks?: readonly string[] | undefined
  /** Hears whose permissions and memberships will be asked for, and may refuse by throwing. */
  beforeLookups?: ((wanted: GateLookups) => void) | undefined
}

export type JudgedApply = { facts: PullFacts; report: GateReport }

/**
 * Gathers the facts of the apply gate and judges them. Facts that only some policies need are asked of the code host only for
 * those policies. A fact that cannot be had is left out, and the gate refuses; an unreachable code host rejects with
 * `unavailable`.
 */
export const judgeApply = async (deps: GateDeps, subject: GateSubject, asking: GateAsking): Promise<JudgedApply> => {
  const facts = await gatherFacts(deps, await askedFacts(deps, subject, asking), subject, asking)
  return { facts, report: evaluateGate(facts) }
}

const askedFacts = async (deps: GateDeps, subject: GateSubject, asking: GateAsking): Promise<AskedFacts> => {
  const { repository, pull, policy, plan } = subject
  const keys = asking.stacks ?? plan?.stacks.map(({ key }) => key) ?? []
  // a plan made after the comment cannot be the one that the comment meant
  const meant = asking.askedAt && (await plannedShaAt(deps.pool, repository.id, pull.number, asking.askedAt))
  const askedSha = asking.askedSha ?? meant
  const isPlanUnseen = asking.askedAt !== undefined && askedSha === undefined
  // if another commit was meant, there is nothing else to say
  const readAt = askedSha === plan?.sha ? asking.askedAt : undefined
  const [planFact, locks, otherApply] = await Promise.all([
    plan === undefined || isPlanUnseen ? null : readPlanFact(deps, policy, plan, readAt),
    locksOnStacks(deps.pool, repository.id, keys),
    findOpenApply(deps.pool, repository.id, pull.number),
  ])
  const given = {
    owner: repository.owner,
    plan: planFact,
    ...(asking.stacks === undefined ? {} : { stacks: asking.stacks }),
  }
  // what is found is kept for those who ask next
  const planned = { ...given, policy: (await rulesInTime({ ...given, policy })).policy }
  const wanted = factsWanted(planned)
  // another base is refused anyway: its file is the author's own
  const readsOwners = wanted.owners && pull.baseRef === repository.default_branch
  const [reviews, pusher, changedPaths, ownersFile] = await Promise.all([
    wanted.reviews ? deps.codehost.listReviews(repository, pull.number) : [],
    wanted.pusher ? deps.codehost.pusherOf(repository, pull.headRef, pull.headSha) : undefined,
    readsOwners ? deps.codehost.listPullRequestPaths(repository, pull.number) : undefined,
    readsOwners ? readCodeOwners(deps, subject) : null,
  ])
  // then the only thing to say is that the plan is of another commit
  const isPlanOfHead = plan?.sha === pull.headSha
  return {
    ...planned,
    how: asking.how,
    at: subject.readAt.toISOString(),
    ...(asking.requester === undefined ? {} : { requester: asking.requester }),
    ...(askedSha === undefined || !isPlanOfHead ? {} : { askedSha }),
    pull: pullFact(pull, repository),
    reviews,
    pusher: pusher ?? null,
    changedPaths: changedPaths ?? null,
    codeOwners: ownersFile && (await coveredBy(ownersFile, changedPaths ?? [])),
    locks: locks.map(lockFact),
    otherApply: otherApply === undefined ? null : { runId: otherApply },
  }
}

/** Asks about the people whose word counts: all at the same time, each once. */
const gatherFacts = async (
  { codehost }: GateDeps,
  asked: AskedFacts,
  { repository }: GateSubject,
  { requesterId, beforeLookups }: GateAsking,
): Promise<PullFacts> => {
  const accountOf = (login: string) =>
    asked.requester !== undefined && sameLogin(login, asked.requester) ? requesterId : undefined
  const wanted = gateLookups(asked)
  beforeLookups?.(wanted)
  const [permissions, memberships] = await Promise.all([
    Promise.all(
      wanted.permissions.map(async (login) => {
        const permission = await codehost.permissionOf(repository, login, accountOf(login)).catch(undefinedIfNotAsked)
        return permission === undefined ? [] : [{ login, permission }]
      }),
    ),
    Promise.all(
      wanted.memberships.map(async ({ team, login }) => {
        const [org = '', slug = ''] = team.split('/')
        const member = await codehost.isTeamMember(repository.installation_id, { org, slug }, login)
        return { team, login, member: member ?? null }
      }),
    ),
  ])
  return { ...asked, permissions: permissions.flat(), memberships }
}

/** The app may not ask: the fact is missing. */
const undefinedIfNotAsked = (error: unknown): undefined => {
  if (error instanceof Problem && error.code === 'forbidden') return undefined
  throw error
}

type OwnersFile = { path: string; text: string }

const readCodeOwners = async (
  { codehost }: GateDeps,
  { repository, pull }: GateSubject,
): Promise<OwnersFile | null> => {
  for (const path of codeOwnersPaths) {
    const text = await codehost.readFile(repository, path, pull.baseRef)
    if (text !== undefined) return { path, text }
  }
  return null
}

const coveredBy = async ({ path, text }: OwnersFile, paths: readonly string[]) => ({
  path,
  covered: await inSteps(coveredPaths(text, paths)),
})

const pullFact = (pull: PullRequest, { id: repoId, default_branch: defaultBranch }: Repository): PullFact => ({
  number: pull.number,
  author: pull.author,
  headSha: pull.headSha,
  state: pull.state,
  merged: pull.mergedAt !== null,
  draft: pull.draft,
  fork: pull.headRepoId !== repoId,
  baseRef: pull.baseRef,
  defaultBranch,
  mergeable: pull.mergeable,
  mergeableState: pull.mergeableState,
})
