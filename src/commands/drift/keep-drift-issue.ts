import { createHash } from 'node:crypto'
import type { Issue } from '#codehost/port.ts'
import { Refusal } from '#codehost/refusal.ts'
import { runUrl } from '#commands/shapes/shape-run.ts'
import {
  type DriftIssueRow,
  dropDriftIssue,
  findDriftIssue,
  noteDriftIssueProblem,
  putDriftIssue,
  wantDriftIssue,
} from '#db/drift/drift-issues.ts'
import { addAudit } from '#db/people/audit.ts'
import type { Repository } from '#db/repositories/repositories.ts'
import { transact } from '#db/transact.ts'
import { findStackDrift, type StackDrift } from '#db/views/drift-issue-view.ts'
import { type DriftIssue, driftEssence, driftIssueText, driftMarker } from '#domain/comments/drift-issue.ts'
import { planBeginning } from '#domain/texts/plan-beginning.ts'
import type { Deps } from '../deps.ts'

type IssueDeps = Pick<Deps, 'pool' | 'findRepository' | 'codehost' | 'clock' | 'log' | 'baseUrl'>

/** The issue that a stack should have. */
type Wanted = {
  stack: StackDrift
  repository: Repository
  state: 'open' | 'closed'
  text: { title: string; body: string }
  /** What drifts: other drift opens an issue that a person closed. */
  essence: string
  /** That, and the plan that is shown. */
  digest: string
}

/**
 * Keeps the issue of a stack in line with the stack (drift.issues): opened when it drifts, edited when something else drifts,
 * closed when it no longer drifts, reopened when it drifts again. Without a change nothing is written: an issue that a person
 * closed stays closed for as long as the same drifts, and a deleted one stays away as long. Of the same drift another plan (drift.plan)
 * is written into the issue as it is, open or closed. A refusal by the code host is
 * audited, once per repository, and left until the next check. True if there was anything to do.
 */
export const keepDriftIssue = async (deps: IssueDeps, stackId: string): Promise<boolean> => {
  const stack = await findStackDrift(deps.pool, stackId)
  const repository = stack && (await deps.findRepository(stack.repo_id))
  if (!repository || repository.removed || repository.suspended || repository.archived) return false
  const known = await findDriftIssue(deps.pool, stackId)
  const wanted = wantedOf(deps, stack, repository)
  if (!wanted || isKept(known, wanted)) return false
  try {
    await keep(deps, known, wanted)
  } catch (error) {
    // no issues there, or no right to write them: asking again is no use until someone changes that
    if (!(error instanceof Refusal)) throw error
    await noteProblem(deps, wanted, error)
  }
  return true
}

/** Undefined if issues are not wanted; existing ones are then left to people. */
const wantedOf = (deps: IssueDeps, stack: StackDrift, repository: Repository): Wanted | undefined => {
  if (!stack.issues) return undefined
  const is = !stack.listed ? 'gone' : stack.drifted ? 'drifted' : 'clean'
  const issue: DriftIssue = {
    stackId: stack.id,
    key: stack.key,
    is,
    summary: stack.summary ?? undefined,
    plan: planOf(stack),
    run: { id: stack.run_id, html_url: runUrl(deps.baseUrl, { id: stack.run_id }) },
    checkedAt: stack.checked_at,
    since: stack.drifted_since ?? undefined,
  }
  const essence = sha256(JSON.stringify(driftEssence(issue)))
  const digest = issue.plan === undefined ? essence : `${essence} ${sha256(issue.plan.text)}`
  return {
    stack,
    repository,
    state: is === 'drifted' ? 'open' : 'closed',
    text: driftIssueText(issue),
    essence,
    digest,
  }
}

/** Always the beginning: the row keeps no more once the whole is in the bucket, and that alone must not make it another plan. */
const planOf = ({ plan_text: whole, is_cut: isCut }: StackDrift): DriftIssue['plan'] => {
  if (!whole) return undefined
  const text = planBeginning(whole)
  return { text, cut: isCut === true || text !== whole }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Whether the issue is of the same drift, and only its plan is another: whoever closed it has seen that drift. */
const isSameDrift = (known: DriftIssueRow | undefined, { state, essence }: Wanted): boolean =>
  state === 'open' && known?.state === 'open' && known.digest?.split(' ')[0] === essence

const isKept = (known: DriftIssueRow | undefined, { state, digest }: Wanted): boolean => {
  if (state === 'closed') return known === undefined || known.state === 'closed'
  return known?.state === 'open' && known.digest === digest
}

const keep = async (deps: IssueDeps, known: DriftIssueRow | undefined, wanted: Wanted): Promise<void> => {
  const { stack, state } = wanted
  const address = known && (known.address ?? (await findMade(deps, known, wanted)))
  const isSame = isSameDrift(known, wanted)
  if (address !== undefined && (await update(deps, address, wanted, isSame))) return
  // whoever deleted it has seen this drift
  if (isSame) return
  if (state === 'closed') await dropDriftIssue(deps.pool, stack.id)
  else await open(deps, wanted)
}

/** The clocks of the code host and of this instance differ by less. */
const slackMs = 10 * 60_000

/** An issue opened by a worker that died, or got no answer, before recording it. */
const findMade = async (
  { codehost }: IssueDeps,
  { wanted_at: wantedAt }: DriftIssueRow,
  { repository, stack }: Wanted,
): Promise<number | undefined> => {
  const since = new Date(+wantedAt - slackMs)
  return (await codehost.findIssue(repository, driftMarker(stack.id), since))?.number
}

/** False if it no longer exists. */
const update = async (deps: IssueDeps, address: number, wanted: Wanted, isSame: boolean): Promise<boolean> => {
  const { repository, text, state } = wanted
  const issue = await deps.codehost.updateIssue(repository, address, { ...text, state: isSame ? undefined : state })
  if (issue) await put(deps, address, issue, wanted)
  return issue !== undefined
}

const open = async (deps: IssueDeps, wanted: Wanted): Promise<void> => {
  const { stack, repository, text } = wanted
  if (!(await wantDriftIssue(deps.pool, { id: stack.id, repoId: repository.id }, deps.clock.now()))) return
  const issue = await deps.codehost.createIssue(repository, text)
  await put(deps, issue.number, issue, wanted)
}

const put = ({ pool }: IssueDeps, address: number, issue: Issue, { stack, state, digest }: Wanted): Promise<void> =>
  putDriftIssue(pool, stack.id, { ...issue, address, state, digest })

const noteProblem = async (deps: IssueDeps, { stack, repository }: Wanted, refusal: Refusal): Promise<void> => {
  const problem = `${refusal.hostStatus}: ${refusal.hostMessage}`
  const { full_name: repo } = repository
  deps.log.warn({ repo, stack: stack.key, err: refusal }, 'the issue of a stack that drifted could not be kept')
  await transact(deps.pool, async (tx) => {
    const at = deps.clock.now()
    if (!(await noteDriftIssueProblem(tx, { id: stack.id, repoId: repository.id }, problem, at))) return
    const details = { repo, stack: stack.key, stack_id: stack.id, problem }
    await addAudit(tx, [{ at, actor: 'system', actor_id: null, action: 'drift_issue_refused', target: repo, details }])
  })
}
