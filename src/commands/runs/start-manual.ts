import { actorOf, type Caller } from '#commands/callers/caller.ts'
import { refuseSuspended } from '#commands/callers/refuse-suspended.ts'
import { readRepoConfig } from '#commands/policy/read-repo-config.ts'
import { type ShapedRun, shapeRun } from '#commands/shapes/shape-run.ts'
import { addAudit } from '#db/people/audit.ts'
import { findReferenceGraph } from '#db/repositories/graphs.ts'
import { findRepositoryNamed, type Repository } from '#db/repositories/repositories.ts'
import { keepDecision } from '#db/runs/gate-decisions.ts'
import { findRunView } from '#db/views/runs/run-view.ts'
import type { RepoConfig } from '#domain/config/config-file.ts'
import { parseDuration } from '#domain/duration.ts'
import { evaluateGate, type GateReport, layerFacts } from '#domain/gate/evaluate-gate.ts'
import { invalid, Problem } from '#errors.ts'
import type { Deps } from '../deps.ts'
import { beginApply } from './begin-apply.ts'
import type { PlacedStack } from './place-stacks.ts'
import { openStackLocks } from './take-locks.ts'

/** The body of POST /v1/runs as an API key sends it (docs/interface.md, 'POST /v1/runs', 3). */
export type StartManualRequest = {
  repo?: string | undefined
  sha?: string | undefined
  base_sha?: string | undefined
  mode?: string | undefined
  trigger?: string | undefined
  stacks?: string[] | undefined
  runner_timeout_hours?: number | undefined
}

type Wanted = { repo: string; sha: string; baseSha: string | null; keys: string[]; runnerTimeout: number | undefined }

/**
 * Starts a manual apply: its stacks are locked before the answer, its caller runs the tool and reports, and each result
 * releases its lock. Nothing is dispatched. Rejects with 423 and the conflicts if another run holds a lock.
 */
export const startManual = async (
  deps: Deps,
  caller: Extract<Caller, { kind: 'key' }>,
  body: StartManualRequest,
  cause?: string,
): Promise<{ run: ShapedRun; existing: false }> => {
  const wanted = checkRequest(body)
  const repository = await servedRepository(deps, wanted.repo)
  // before any lock is taken: a tool that checks out nothing would report nothing
  if (!(await deps.codehost.hasCommit(repository, wanted.sha)))
    throw invalid(
      'sha',
      `${repository.full_name} has no commit ${wanted.sha}: the full id of one that was pushed is needed`,
    )
  const { config, gate } = await policyOf(deps, repository)
  const { graphId, stacks } = await scheduled(deps, repository, config, wanted)
  const who = { actor: actorOf(caller), cause }
  const { sha, baseSha, keys, runnerTimeout } = wanted
  const place = { owner: who.actor, row: `manual runs of ${repository.id}`, installationId: repository.installation_id }
  const runId = await deps.runtime.transactInTurn(place, async (tx) => {
    const { id: repoId } = repository
    const stackIds = await openStackLocks(deps.runtime, tx, { repoId, keys, who })
    const id = await beginApply(deps, tx, {
      ...{ repoId, sha, baseSha, graphId, stacks, stackIds, runnerTimeout, who },
      trigger: 'manual',
      requestedBy: who.actor,
      remindAfter: Math.ceil((parseDuration(config.locks.remind_after) ?? 0) / 1000),
    })
    await keepDecision(tx, id, { asked_by: who.actor, decided_at: deps.clock.now(), facts: layerFacts(gate) })
    const { full_name: repo } = repository
    const details = { repo, run_id: id, stacks: keys, sha }
    await addAudit(tx, [
      { at: deps.clock.now(), actor: who.actor, actor_id: null, action: 'manual_apply', target: repo, details },
    ])
    return id
  })
  const view = await findRunView(deps.pool, runId)
  if (!view) throw new Error(`run ${runId} is gone`)
  return { run: shapeRun(deps.baseUrl, view), existing: false }
}

const checkRequest = (body: StartManualRequest): Wanted => {
  const { repo, sha, base_sha: baseSha = null, mode, trigger, stacks = [], runner_timeout_hours: hours } = body
  if (mode !== 'apply')
    throw invalid('mode', 'an API key cannot register a plan run: it starts manual runs, mode apply')
  if (trigger !== 'manual') throw invalid('trigger', 'must be manual for a run that an API key starts')
  if (!repo) throw invalid('repo', 'is missing: owner/name of the repository')
  if (!sha) throw invalid('sha', 'is missing: the commit that is applied')
  if (stacks.length === 0) throw invalid('stacks', 'is missing: the keys of the stacks to apply')
  const runnerTimeout = hours === undefined ? undefined : Math.ceil(hours * 3600)
  return { repo, sha, baseSha, keys: [...new Set(stacks)].sort(), runnerTimeout }
}

const servedRepository = async ({ pool }: Deps, name: string): Promise<Repository> => {
  const repository = await findRepositoryNamed(pool, name)
  if (!repository || repository.removed)
    throw new Problem('not_found', `repository ${name} is not known to this service`)
  refuseSuspended(repository)
  return repository
}

/** The gate of a manual run checks one thing: that there is a policy that can be read. */
const policyOf = async (deps: Deps, repository: Repository): Promise<{ config: RepoConfig; gate: GateReport }> => {
  const policy = await readRepoConfig(deps, repository)
  const gate = evaluateGate({ how: 'manual', policy })
  const { allowed, failures } = gate
  if (policy.ok && allowed) return { config: policy.config, gate }
  const reasons = failures.map(({ reason }) => reason).join('; ')
  throw new Problem('refused', `the apply gate refused: ${reasons}`, { details: { failures } })
}

/** The stacks in the waves of the default branch's graph, each under the environment of its configuration. */
const scheduled = async (
  { pool, resolver }: Deps,
  repository: Repository,
  config: RepoConfig,
  { keys, repo }: Wanted,
): Promise<{ graphId: string; stacks: PlacedStack[] }> => {
  const stored = await findReferenceGraph(pool, repository.id)
  if (!stored)
    throw invalid('stacks', `no graph of ${repo} is known yet: open a pull request first, whose job uploads one`)
  const resolved = await resolver.resolveRecorded(repository, { graph: stored.body, config }, { keys })
  if (!resolved.ok) throw invalid('stacks', `cannot be put in order: ${resolved.reason}`)
  const { stacks, unknown, cycles } = resolved
  if (unknown.length > 0)
    throw invalid('stacks', `the graph of ${repo} at ${stored.sha} has no stack ${unknown.join(', ')}`)
  const [cycle] = cycles
  if (cycle) throw invalid('stacks', `depend on each other in a cycle: ${cycle}`)
  return { graphId: stored.id, stacks }
}
