import { whyNot } from '#commands/callers/permit-teams.ts'
import { rerunAs } from '#commands/runs/rerun.ts'
import { addAudit } from '#db/people/audit.ts'
import { planToRerun } from '#db/runs/reruns.ts'
import { transact } from '#db/transact.ts'
import { mayPush } from '#domain/gate/people.ts'
import { Problem } from '#errors.ts'
import type { Deps } from '../deps.ts'

type Rerequest = { repoId: number; sha: string; externalId?: string; actor: string; accountId: number }

/**
 * Plans again what was requested in the pages of the code host: the run of one of our check runs, or of all of a commit. A
 * person without push permission, or in none of `rerun.teams`, is ignored, and audited. The code host leaves the old check runs as they are: the new run
 * makes its own. False if nothing follows.
 */
export const followRerequest = async (
  deps: Deps,
  { repoId, sha, externalId, actor, accountId }: Rerequest,
  cause?: string | null,
): Promise<boolean> => {
  const repository = await deps.findRepository(repoId)
  if (!repository || repository.removed || repository.suspended) return false
  const runId = externalId === undefined ? undefined : runIdOf(externalId)
  if (externalId !== undefined && runId === undefined) return false
  const plan = await planToRerun(deps.pool, { repoId, sha, runId })
  if (!plan) return false
  const who = { actor, account: accountId, cause }
  const pushes = mayPush(await deps.codehost.permissionOf(repository, actor, accountId))
  if (!pushes || (await whyNot(deps, 'rerun', { login: actor, account: accountId }, repository)) !== undefined) {
    const details = { repo: repository.full_name, ...(plan.pr_number === null ? {} : { pr: plan.pr_number }) }
    const entry = {
      at: deps.clock.now(),
      actor,
      actor_id: accountId,
      action: 'command_ignored',
      target: repository.full_name,
    }
    await transact(deps.pool, (tx) =>
      addAudit(tx, [{ ...entry, details: { ...details, verb: 'rerun', run_id: plan.id } }]),
    )
    return false
  }
  try {
    await rerunAs(deps, plan.id, who)
    return true
  } catch (error) {
    // no one waits for an answer; a delivery that comes twice ends here too, and trying again changes neither
    if (!(error instanceof Problem) || error.status !== 409) throw error
    deps.log.info({ run: plan.id, actor, reason: error.message }, 'a plan was not run again')
    return false
  }
}

/** The external id of a check run begins with its run. */
const runIdOf = (externalId: string): string | undefined =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\/|$)/.exec(externalId)?.[0]
