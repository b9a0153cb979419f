import { shortSha } from '#domain/run-report.ts'
import { codeOwnersPaths, type Owner, ownerName } from '../code-owners.ts'
import type { CoveredPaths } from '../covered-paths.ts'
import type { PullFacts } from '../facts.ts'
import type { Judge } from '../judge.ts'
import { listed } from '../listed.ts'
import { isMember, sameLogin } from '../people.ts'
import { opinionsOf } from '../reviews.ts'
import { objectionsTo } from '../rules/demanded.ts'
import { placeText, type RuleRef } from '../rules/rule-ref.ts'
import { type Could, type Evidence, type Objection, off, unknown, unlessObjected } from '../verdict.ts'
import { noPolicy } from './config.ts'

type Owned = CoveredPaths & { at: string }

type Standing = 'owner' | 'no owner' | 'unknown'

const standingOf = (facts: PullFacts, owner: Owner, login: string): Standing => {
  if (owner.kind === 'user') return sameLogin(owner.login, login) ? 'owner' : 'no owner'
  if (owner.kind === 'email') return 'unknown'
  const member = isMember(facts.memberships, owner.team, login)
  return member === null ? 'unknown' : member ? 'owner' : 'no owner'
}

const pathsText = (paths: readonly string[]): string =>
  paths.length === 1 ? `the changed path ${paths[0]}` : `${paths.length} changed paths (${listed(paths, 3)})`

const couldApprove = ({ line }: Owned): Could => ({
  act: 'approve',
  people: 1,
  logins: line.owners.flatMap((owner) => (owner.kind === 'user' ? [owner.login] : [])),
  teams: line.owners.flatMap((owner) => (owner.kind === 'team' ? [owner.team] : [])),
})

/** Any one owner suffices; only the code host can match an e-mail address to a user. */
const judgeLine = (facts: PullFacts, approvers: readonly string[], owned: Owned): Objection | Evidence => {
  const { at, line, paths } = owned
  const head = shortSha(facts.pull.headSha)
  if (line.problem !== undefined)
    return {
      verdict: 'unknown',
      name: at,
      what: `${at} is invalid, so it is not known who owns ${pathsText(paths)}: ${line.problem}`,
      next: 'Fix that line on the base branch',
    }
  const by = approvers.find((login) => line.owners.some((owner) => standingOf(facts, owner, login) === 'owner'))
  const names = listed(line.owners.map(ownerName))
  if (by !== undefined) {
    const text = `${by}, an owner by ${at}, approved ${head} with ${pathsText(paths)}`
    return { holds: true, text, login: by, sha: facts.pull.headSha }
  }
  const open = line.owners.filter((owner) => approvers.some((login) => standingOf(facts, owner, login) === 'unknown'))
  const emails = line.owners.every(({ kind }) => kind === 'email')
  const unclear = open.length === 0 ? '' : `; whether ${listed(open.map(ownerName))} did is not known`
  return {
    verdict: emails || open.length > 0 ? 'unknown' : 'fail',
    name: at,
    what: `No owner by ${at} (${line.pattern}: ${names}) approved ${head} with ${pathsText(paths)}${unclear}`,
    next: emails
      ? 'Name users or teams in that line on the base branch: an e-mail address cannot be matched with a reviewer'
      : `Ask one of ${names} who is not the author to approve ${head}`,
    ...(emails ? {} : { could: couldApprove(owned) }),
  }
}

const noFile = (by: RuleRef): Objection => ({
  verdict: 'fail',
  name: 'CODEOWNERS',
  what: `An approval by code owners is required (${placeText(by, 'code_owners')}), and the base branch has no CODEOWNERS file`,
  next: `Add ${codeOwnersPaths[0]} to the base branch, or remove code_owners from svc.yml`,
})

const noPaths: Objection = {
  verdict: 'unknown',
  name: 'changed_paths',
  what: 'Not all changed paths are known: the code host lists at most 3,000, so their owners are unknown',
  next: 'Split the pull request',
}

/**
 * The author of a pull request chooses its base. With a base of their own making, its changes are not among the changed paths,
 * and its CODEOWNERS names whom they like.
 */
const notDefault = (branch: string): Objection => ({
  verdict: 'unknown',
  name: 'base',
  what: `The pull request goes into ${branch}, so only its changes against that branch are known, and not everything that it adds to the default branch`,
  next: 'Change its base to the default branch, and have it approved there',
})

type Judged = { objections: Objection[]; evidence: Evidence[] }

const judgeLines = (facts: PullFacts, lastPush: boolean): Judged => {
  const { codeOwners, changedPaths } = facts
  const found: Judged = { objections: [], evidence: [] }
  if (codeOwners === null || changedPaths === null) return found
  const approvers = opinionsOf(facts, lastPush)
    .filter(({ worth }) => worth === 'counts')
    .map(({ login }) => login)
  const owned = codeOwners.covered
    .filter(({ line }) => line.owners.length > 0 || line.problem)
    .map((covered) => ({ ...covered, at: `${codeOwners.path}:${covered.line.line}` }))
  const free = changedPaths.length - owned.reduce((sum, { paths }) => sum + paths.length, 0)
  if (free > 0)
    found.evidence.push({ holds: true, text: `${free} changed ${free === 1 ? 'path has' : 'paths have'} no owner` })
  for (const each of owned) {
    const one = judgeLine(facts, approvers, each)
    if ('verdict' in one) found.objections.push(one)
    else found.evidence.push(one)
  }
  return found
}

/**
 * An owner of every changed path approved the head commit. A path that no line covers has no owner and needs no approval, as on
 * the code host; a line that is invalid or cannot be resolved refuses its paths.
 */
export const judgeCodeOwners: Judge = (facts, policy, taken) => {
  if (policy === undefined || taken === undefined) return unknown(noPolicy)
  const asking = taken.demands.filter(({ requirements }) => requirements.code_owners !== undefined)
  if (asking.length === 0) return off('Code owners are not required (apply.code_owners: false)')
  const { codeOwners, changedPaths } = facts
  const { baseRef, defaultBranch } = facts.pull
  const isBase = baseRef === defaultBranch
  const nothing: Judged = { objections: [], evidence: [] }
  const [any, withoutPusher] = isBase ? [judgeLines(facts, false), judgeLines(facts, true)] : [nothing, nothing]
  const judgedFor = (lastPush: RuleRef | undefined): Judged => (lastPush === undefined ? any : withoutPusher)
  const objections = objectionsTo(taken, ({ code_owners: by, last_push: lastPush }) => {
    if (by === undefined) return []
    const found = isBase
      ? [
          ...(codeOwners === null ? [noFile(by)] : []),
          ...(changedPaths === null ? [noPaths] : []),
          ...judgedFor(lastPush).objections,
        ]
      : [notDefault(baseRef)]
    return found.map((objection) => ({ by, objection }))
  })
  const strict = asking.find(({ requirements }) => requirements.last_push !== undefined)
  return unlessObjected(approved, judgedFor(strict?.requirements.last_push).evidence, objections)
}

const approved = 'An owner of every changed path approved the head commit'
