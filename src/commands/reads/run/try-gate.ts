import type { PersonOrKey } from '#commands/callers/caller.ts'
import type { Deps } from '#commands/deps.ts'
import { problemText, readConfigText } from '#commands/policy/read-repo-config.ts'
import type { ParsedConfig } from '#domain/config/config-file.ts'
import type { GateLookups } from '#domain/gate/gate-lookups.ts'
import { limits } from '#domain/limits.ts'
import { invalid, Problem } from '#errors.ts'
import { dryRun, shapeDryRun } from './dry-run.ts'
import { gatedRun } from './gated-run.ts'
import type { TrialBudget } from './trial-budget.ts'

/** What a trial asks about no person in particular: the pull request, its reviews, the last push, the code owners and what they own. */
const questionsOfTrial = 10

/**
 * What the gate would say of a plan run by another svc.yml than the default branch's (docs/interface.md, 'POST /v1/runs/{id}/gate').
 * It decides nothing and is kept nowhere, so there is no comment to type. A file that cannot be read, or takes too
 * long to match, is the caller's mistake, not a refusal. A person may ask so much by trials; an API key is an administrator's.
 */
export const tryGate = async (
  deps: Deps & { trials: TrialBudget },
  caller: PersonOrKey,
  runId: string,
  text: string,
) => {
  const gated = await gatedRun(deps, caller, runId)
  if (gated.run.mode === 'apply')
    throw new Problem(
      'conflict',
      'the run is an apply, which has passed the gate: a configuration is tried on a plan run',
    )
  const tried = await readConfigText(text)
  refuseInvalid(tried)
  const spend = (questions: number): void => {
    const { installation_id: installationId } = gated.repository
    if (caller.kind === 'person') deps.trials.spend({ installationId, account: caller.id }, questions)
  }
  spend(questionsOfTrial)
  const beforeLookups = ({ permissions, memberships: { length: count } }: GateLookups): void => {
    if (count > limits.trialMemberships) throw invalid('config', tooManyMemberships(count))
    spend(permissions.length + count)
  }
  const judged = await dryRun(deps, caller, gated, { config: tried, beforeLookups })
  refuseInvalid(judged.policy)
  const { facts, ...rest } = shapeDryRun(judged)
  const known = facts.map((fact) =>
    fact.layer === 'config' ? { ...fact, summary: 'The configuration that is tried is valid' } : fact,
  )
  return { ...rest, facts: known }
}

const tooManyMemberships = (count: number): string =>
  `makes ${count} memberships of teams matter here, and a trial asks for ${limits.trialMemberships} at most`

const refuseInvalid = (policy: ParsedConfig): void => {
  if (!policy.ok) throw invalid('config', policy.problems.map(problemText).join('; '))
}
