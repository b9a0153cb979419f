import { findRepository } from '#db/repositories.ts'
import { findRun } from '#db/runs.ts'
import { Problem } from '#errors.ts'
import type { PersonOrKey } from './caller.ts'
import type { Deps } from './deps.ts'
import { readGateSubject } from './gate-subject.ts'
import { gatherGate } from './gather-gate.ts'
import { permitSight } from './people/permit-sight.ts'

/**
 * The apply gate of a plan run's pull request as it stands now, without an apply: a dry run, by nobody in particular, of the
 * commit that the run is of. `facts` holds what each layer decided from.
 */
export const readGate = async (deps: Deps, caller: PersonOrKey, runId: string) => {
  const absent = () => new Problem('not_found', `run ${runId} does not exist`)
  const run = await findRun(deps.pool, runId)
  const repository = run && (await findRepository(deps.pool, run.repo_id))
  if (!run || !repository || repository.removed) throw absent()
  await permitSight(deps.pool, caller, repository.id, absent)
  if (run.mode !== 'plan') throw new Problem('conflict', `the run is no plan run: its mode is ${run.mode}`)
  if (run.pr_number === null) throw new Problem('conflict', 'the run has no pull request that could be applied')
  if (repository.suspended) throw new Problem('forbidden', `the installation on ${repository.fullName} is suspended`)
  const subject = await readGateSubject(deps, repository, run.pr_number)
  if (!subject) throw new Problem('not_found', `pull request ${run.pr_number} of ${repository.fullName} does not exist`)
  const { report } = await gatherGate(deps, subject, { how: 'dry_run', askedSha: run.sha })
  const { allowed, failures, layers } = report
  return { allowed, failures, facts: layers.map(({ failures: _, ...layer }) => layer) }
}
