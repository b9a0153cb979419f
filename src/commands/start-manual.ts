import { addAudit } from '#db/audit.ts'
import { findReferenceGraph } from '#db/graphs.ts'
import { findRepositoryNamed, type Repository } from '#db/repositories.ts'
import { transact } from '#db/transact.ts'
import { findRunView } from '#db/views/run-view.ts'
import { applyEnvironment } from '#domain/apply-environment.ts'
import type { RepoConfig } from '#domain/config-file.ts'
import { parseDuration } from '#domain/duration.ts'
import { evaluateGate } from '#domain/gate.ts'
import type { Graph } from '#domain/graph.ts'
import { resolve } from '#domain/resolve.ts'
import { invalid, Problem } from '#errors.ts'
import { beginApply } from './begin-apply.ts'
import { actorOf, type Caller } from './caller.ts'
import type { Deps } from './deps.ts'
import { readRepoConfig } from './read-repo-config.ts'
import type { ScheduledStack } from './schedule-stacks.ts'
import { type ShapedRun, shapeRun } from './shapes.ts'

/** The body of POST /v1/runs as an API key sends it (spec, 'POST /v1/runs', 3). */
export type StartManualRequest = {
  repo?: string | undefined
  sha?: string | undefined
  base_sha?: string | undefined
  mode?: string | undefined
  trigger?: string | undefined
  stacks?: string[] | undefined
}

type Wanted = { repo: string; sha: string; baseSha: string | null; keys: string[] }

/**
 * Starts a manual apply: its stacks are locked before it is answered, its caller runs the tool and reports, and each result
 * releases its lock. Nothing is dispatched. Rejects with 423 and the conflicts where another holds a lock.
 */
export const startManual = async (
  deps: Deps,
  caller: Extract<Caller, { kind: 'key' }>,
  body: StartManualRequest,
  cause?: string,
): Promise<{ run: ShapedRun; existing: false }> => {
  const wanted = checkRequest(body)
  const repository = await servedRepository(deps, wanted.repo)
  const config = await policyOf(deps, repository)
  const { graphId, stacks } = await scheduled(deps, repository, config, wanted)
  const who = { actor: actorOf(caller), cause }
  const { sha, baseSha, keys } = wanted
  const runId = await transact(deps.pool, async (tx) => {
    const id = await beginApply(deps, tx, {
      ...{ repoId: repository.id, sha, baseSha, graphId, stacks, who },
      trigger: 'manual',
      requestedBy: who.actor,
      remindAfter: Math.ceil((parseDuration(config.locks.remind_after) ?? 0) / 1000),
    })
    const { fullName: repo } = repository
    const details = { repo, run_id: id, stacks: keys, sha }
    await addAudit(tx, [{ at: deps.clock.now(), actor: who.actor, action: 'manual_apply', target: repo, details }])
    return id
  })
  const view = await findRunView(deps.pool, runId)
  if (!view) throw new Error(`run ${runId} is gone`)
  return { run: shapeRun(deps.baseUrl, view), existing: false }
}

const checkRequest = (body: StartManualRequest): Wanted => {
  const { repo, sha, base_sha: baseSha = null, mode, trigger, stacks = [] } = body
  if (mode !== 'apply')
    throw invalid('mode', 'an API key cannot register a plan run: it starts manual runs, mode apply')
  if (trigger !== 'manual') throw invalid('trigger', 'must be manual for a run that an API key starts')
  if (!repo) throw invalid('repo', 'is missing: owner/name of the repository')
  if (!sha) throw invalid('sha', 'is missing: the commit that is applied')
  if (stacks.length === 0) throw invalid('stacks', 'is missing: the keys of the stacks to apply')
  return { repo, sha, baseSha, keys: [...new Set(stacks)].sort() }
}

const servedRepository = async ({ pool }: Deps, name: string): Promise<Repository> => {
  const repository = await findRepositoryNamed(pool, name)
  if (!repository || repository.removed)
    throw new Problem('not_found', `repository ${name} is not known to this service`)
  if (!repository.suspended) return repository
  throw new Problem('forbidden', `the installation of the app on ${repository.owner} is suspended: unsuspend it first`)
}

/** The gate of a manual run asks one thing only: whether there is a policy that can be read. */
const policyOf = async (deps: Deps, repository: Repository): Promise<RepoConfig> => {
  const policy = await readRepoConfig(deps, repository)
  const { failures } = evaluateGate({ how: 'manual', policy })
  if (policy.ok && failures.length === 0) return policy.config
  const reasons = failures.map(({ reason }) => reason).join('; ')
  throw new Problem('refused', `the apply gate refused: ${reasons}`, { details: { failures } })
}

/** The stacks in the waves that the default branch's graph puts them in, each under the environment of its configuration. */
const scheduled = async (
  { pool }: Deps,
  repository: Repository,
  config: RepoConfig,
  { keys, repo }: Wanted,
): Promise<{ graphId: string; stacks: ScheduledStack[] }> => {
  const stored = await findReferenceGraph(pool, repository.id)
  if (!stored)
    throw invalid('stacks', `no graph of ${repo} is known yet: open a pull request first, whose job uploads one`)
  const graph = JSON.parse(stored.body) as Graph
  const known = new Set(graph.stacks.filter(({ external }) => !external).map(({ key }) => key))
  const unknown = keys.filter((key) => !known.has(key))
  if (unknown.length > 0)
    throw invalid('stacks', `the graph of ${repo} at ${stored.sha} has no stack ${unknown.join(', ')}`)
  const resolution = resolve({ graph, changedPaths: [], config, defaultBranch: { config, graph }, restrict: keys })
  const [cycle] = resolution.cycles
  if (cycle) throw invalid('stacks', `depend on each other in a cycle: ${cycle}`)
  // a restriction takes a directory's name for all of its instances; a key stands for one stack here
  const asked = new Set(keys)
  const stacks = resolution.affected.filter(({ key }) => asked.has(key))
  return {
    graphId: stored.id,
    stacks: stacks.map((stack) => ({ ...stack, environment: applyEnvironment(config, stack) })),
  }
}
