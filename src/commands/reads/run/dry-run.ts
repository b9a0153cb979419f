import { chosenOfPlan } from '#commands/apply/chosen-of-plan.ts'
import { type GateSubject, readGateSubject } from '#commands/apply/gate-subject.ts'
import { wavesOf } from '#commands/apply/gate-waves.ts'
import { type GateAsking, judgeApply } from '#commands/apply/judge-apply.ts'
import type { PersonOrKey } from '#commands/callers/caller.ts'
import type { Deps } from '#commands/deps.ts'
import { present } from '#commands/shapes/shape-run.ts'
import type { ParsedConfig } from '#domain/config/config-file.ts'
import { type GateReport, layerFacts } from '#domain/gate/evaluate-gate.ts'
import type { StackChoice } from '#domain/resolution/choose-stacks.ts'
import { Problem } from '#errors.ts'
import { cutStacks } from './cut-stacks.ts'
import type { GatedRun } from './gated-run.ts'

/** What the gate says, of which stacks, and by whom it was judged. */
export type DryRun = {
  subject: GateSubject
  /** What was judged by: none, if it takes too long. */
  policy: ParsedConfig
  choice: StackChoice | undefined
  report: GateReport
  asker: string | undefined
}

/** A policy in place of the default branch's, and who hears whom the code host will be asked about. */
export type Trial = { config: ParsedConfig } & Required<Pick<GateAsking, 'beforeLookups'>>

/**
 * Judges a plan run without applying, like a comment of the person who reads it: an API key cannot comment and is no one in
 * particular.
 */
export const dryRun = async (
  deps: Deps,
  caller: PersonOrKey,
  { run, repository }: GatedRun,
  trial?: Trial,
): Promise<DryRun> => {
  if (run.pr_number === null) throw new Problem('conflict', 'the run has no pull request that could be applied')
  if (repository.suspended) throw new Problem('forbidden', `the installation on ${repository.full_name} is suspended`)
  const subject = await readGateSubject(deps, repository, run.pr_number, trial?.config)
  if (!subject)
    throw new Problem('not_found', `pull request ${run.pr_number} of ${repository.full_name} does not exist`)
  const asker = caller.kind === 'person' ? { requester: caller.login, requesterId: caller.id } : {}
  const choice = await chosenOfPlan(deps, subject, [])
  const { report, facts } = await judgeApply(deps, subject, {
    ...{ how: 'dry_run', askedSha: run.sha, stacks: keysOf(choice), ...asker },
    beforeLookups: trial?.beforeLookups,
  })
  return { subject, policy: facts.policy, choice, report, asker: asker.requester }
}

const keysOf = (choice: StackChoice | undefined): string[] | undefined =>
  choice?.kind === 'chosen' ? choice.keys : undefined

export const shapeDryRun = ({ subject, choice, report, asker }: DryRun) => ({
  allowed: report.allowed,
  ...cutStacks(report.failures, layerFacts(report)),
  ...present({
    asked_by: asker,
    could: report.could,
    waves: wavesOf(subject.plan?.stacks ?? [], keysOf(choice) ?? []),
  }),
})
