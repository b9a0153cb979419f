import { ownerName } from '../code-owner.ts'
import { codeOwnersPaths, type Owner, type OwnerLine, ownersOf } from '../code-owners.ts'
import { shortSha } from '../run-report.ts'
import { noPolicy } from './config.ts'
import type { Judge, PullFacts } from './facts.ts'
import { listed } from './listed.ts'
import { isMember, sameLogin } from './people.ts'
import { opinionsOf } from './reviews.ts'
import { type Evidence, type Objection, off, pass, unknown } from './verdict.ts'

type Owned = { at: string; line: OwnerLine; paths: string[] }

/** Changed paths by the line that they are under, in the order of the file. Paths without one are nobody's. */
const ownedPaths = (file: NonNullable<PullFacts['codeOwners']>, paths: readonly string[]): Owned[] => {
  const lineOf = ownersOf(file.file)
  const lines = new Map<OwnerLine, string[]>()
  for (const path of [...paths].sort()) {
    const line = lineOf(path)
    if (line === undefined) continue
    const known = lines.get(line)
    if (known === undefined) lines.set(line, [path])
    else known.push(path)
  }
  return [...lines]
    .sort(([a], [b]) => a.line - b.line)
    .map(([line, owned]) => ({ at: `${file.path}:${line.line}`, line, paths: owned }))
}

type Standing = 'owner' | 'no owner' | 'unknown'

const standingOf = (facts: PullFacts, owner: Owner, login: string): Standing => {
  if (owner.kind === 'user') return sameLogin(owner.login, login) ? 'owner' : 'no owner'
  if (owner.kind === 'email') return 'unknown'
  const member = isMember(facts.memberships, owner.team, login)
  return member === null ? 'unknown' : member ? 'owner' : 'no owner'
}

const pathsText = (paths: readonly string[]): string =>
  paths.length === 1 ? `the changed path ${paths[0]}` : `${paths.length} changed paths (${listed(paths, 3)})`

/** Any one owner suffices; the code host alone can tell whose an e-mail address is. */
const judgeLine = (facts: PullFacts, approvers: readonly string[], owned: Owned): Objection | Evidence => {
  const { at, line, paths } = owned
  const head = shortSha(facts.pull.headSha)
  if (line.problem !== undefined)
    return {
      verdict: 'unknown',
      name: at,
      what: `${at} is invalid, so it is not known who owns ${pathsText(paths)}: ${line.problem}`,
      next: 'Mend that line on the base branch',
    }
  const by = approvers.find((login) => line.owners.some((owner) => standingOf(facts, owner, login) === 'owner'))
  const names = listed(line.owners.map(ownerName))
  if (by !== undefined) {
    const text = `${by}, an owner by ${at}, approved ${head} with ${pathsText(paths)}`
    return { holds: true, text, login: by, sha: facts.pull.headSha }
  }
  const open = line.owners.filter((owner) => approvers.some((login) => standingOf(facts, owner, login) === 'unknown'))
  const emails = line.owners.every(({ kind }) => kind === 'email')
  const unclear = open.length === 0 ? '' : `; whether ${listed(open.map(ownerName))} did could not be told`
  return {
    verdict: emails || open.length > 0 ? 'unknown' : 'fail',
    name: at,
    what: `No owner by ${at} (${line.pattern}: ${names}) approved ${head} with ${pathsText(paths)}${unclear}`,
    next: emails
      ? 'Name users or teams in that line on the base branch: an e-mail address cannot be matched with a reviewer'
      : `Ask one of ${names} who is not the author to approve ${head}`,
  }
}

const noFile: Objection = {
  verdict: 'fail',
  name: 'CODEOWNERS',
  what: 'An approval by code owners is asked for (apply.code_owners), and the base branch has no CODEOWNERS file',
  next: `Add ${codeOwnersPaths[0]} to the base branch, or take apply.code_owners out of svc.yml`,
}

const noPaths: Objection = {
  verdict: 'unknown',
  name: 'changed_paths',
  what: 'Not all changed paths are known: the code host lists at most 3,000, so their owners cannot be told',
  next: 'Split the pull request',
}

/**
 * Who opens a pull request chooses its base: with one of their own making, its changes are not among the changed paths, and its
 * CODEOWNERS names whom they like.
 */
const notDefault = (branch: string): Objection => ({
  verdict: 'unknown',
  name: 'base',
  what: `The pull request goes into ${branch}, so that only what it changes there is known, and not all that it brings besides what the default branch has`,
  next: 'Put it on the default branch, and approve it there',
})

/**
 * An owner of every changed path approved the head commit. A path that no line of the file names is nobody's and asks for
 * nobody, as on the code host; a line that is invalid or cannot be resolved refuses its paths.
 */
export const judgeCodeOwners: Judge = (facts, policy) => {
  if (policy === undefined) return unknown(noPolicy)
  if (!policy.code_owners) return off('Code owners are not asked for (apply.code_owners: false)')
  const { codeOwners, changedPaths } = facts
  const { otherBase } = facts.pull
  if (otherBase !== undefined) return pass(approved, [], [notDefault(otherBase)])
  const objections: Objection[] = [
    ...(codeOwners === null ? [noFile] : []),
    ...(changedPaths === null ? [noPaths] : []),
  ]
  const evidence: Evidence[] = []
  if (codeOwners !== null && changedPaths !== null) {
    const approvers = opinionsOf(facts)
      .filter(({ worth }) => worth === 'counts')
      .map(({ login }) => login)
    const owned = ownedPaths(codeOwners, changedPaths).filter(({ line }) => line.owners.length > 0 || line.problem)
    const free = changedPaths.length - owned.reduce((sum, { paths }) => sum + paths.length, 0)
    if (free > 0)
      evidence.push({ holds: true, text: `${free} changed ${free === 1 ? 'path has' : 'paths have'} no owner` })
    for (const each of owned) {
      const found = judgeLine(facts, approvers, each)
      if ('verdict' in found) objections.push(found)
      else evidence.push(found)
    }
  }
  return pass(approved, evidence, objections)
}

const approved = 'An owner of every changed path approved the head commit'
