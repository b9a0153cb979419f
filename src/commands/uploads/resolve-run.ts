import { createHash } from 'node:crypto'
import type { Caller, RunnerCaller } from '#commands/callers/caller.ts'
import { namesOf } from '#commands/callers/claim-problem.ts'
import { readDefaultConfig } from '#commands/policy/default-config.ts'
import { findRun, type RunRow } from '#db/machines/runs.ts'
import { externalDependents } from '#db/repositories/external-edges.ts'
import { findReferenceGraph } from '#db/repositories/graphs.ts'
import { transact } from '#db/transact.ts'
import type { Resolution } from '#domain/resolution/resolve.ts'
import { crossRepo, type Warning } from '#domain/texts/warnings.ts'
import { invalid, Problem } from '#errors.ts'
import type { Deps, RequestDeps } from '../deps.ts'
import { mayUpload, recordUpload } from './record-upload.ts'
import type { ResolvedUpload, Upload, UploadFacts } from './resolve-upload.ts'

/**
 * Takes the graph of a run's commit and returns the affected stacks in waves, as JSON text (docs/interface.md, 'POST
 * /v1/runs/{id}/graph'). The upload's list of changes is joined with the code host's, and resolved under the default branch's
 * configuration too.
 */
export const resolveRun = async (
  deps: RequestDeps,
  caller: Caller,
  runId: string,
  body: Pick<Upload, 'bytes' | 'signal'>,
  cause?: string,
): Promise<string> => {
  if (caller.kind !== 'runner') throw new Problem('forbidden', "only the pull request's own job may upload a graph")
  const run = await findRun(deps.pool, runId)
  if (!run) throw new Problem('not_found', `run ${runId} does not exist`)
  const problem = mayUpload(caller, run)
  if (problem) throw problem
  const upload = { ...body, repoId: run.repo_id }
  const answer = await deps.resolver.inTurn(upload, () => resolveAndRecord(deps, caller, run, { upload, cause }))
  if (answer instanceof Problem) throw answer
  return answer
}

const resolveAndRecord = async (
  deps: RequestDeps,
  caller: RunnerCaller,
  run: RunRow,
  { upload: given, cause }: { upload: Upload; cause: string | undefined },
): Promise<string | Problem> => {
  const { facts, warnings } = await gatherFacts(deps, caller, run)
  const upload = await resolveWithoutGone(deps, caller, given, facts)
  if (!upload.ok) throw invalid(upload.field, upload.reason)
  upload.resolution.warnings.unshift(...warnings)
  await addDependents(deps, run, upload.resolution, facts)
  const digest = createHash('sha256').update(given.bytes).digest('hex')
  return transact(deps.pool, (tx) => recordUpload(deps, tx, caller, { runId: run.id, upload, digest, cause }))
}

/** Adds the stacks of other repositories' default branches that depend on these: the graph itself mostly cannot know them. */
const addDependents = async (
  { pool }: Deps,
  run: RunRow,
  { affected, external, warnings }: Resolution,
  { defaultConfig }: KnownFacts,
): Promise<void> => {
  const dependents = await externalDependents(pool, run.repo_id, affected)
  if (dependents.length === 0) return
  const nameOf = ({ key, type }: { key: string; type: string }): string => `${key} ${type}`
  const known = new Set(external.filter(({ relation }) => relation === 'dependent').map(nameOf))
  const unknown = dependents.filter((one) => !known.has(nameOf(one)))
  external.push(...unknown.map((one) => ({ ...one, relation: 'dependent' as const })))
  if (defaultConfig.propagate.cross_repo === 'plan')
    warnings.push(crossRepo([...new Set(dependents.map(({ key }) => key))]))
}

/** The default branch's graph is up to 8 MB: it is read when the upload is resolved. */
type KnownFacts = Omit<UploadFacts, 'defaultGraph'>

const gatherFacts = async (
  deps: Deps,
  caller: RunnerCaller,
  run: RunRow,
): Promise<{ facts: KnownFacts; warnings: Warning[] }> => {
  const { repository } = caller
  const [defaults, hostPaths] = await Promise.all([
    readDefaultConfig(deps, repository),
    run.pr_number === null ? undefined : deps.codehost.listPullRequestPaths(repository, run.pr_number),
  ])
  const facts = {
    repos: namesOf(caller),
    sha: run.sha,
    defaultConfig: defaults.config,
    hostPaths,
    goneDirectories: [],
  }
  return { facts, warnings: defaults.warnings }
}

/**
 * Resolves, and checks whether the stacks that only the default branch knows are still in the commit: a stack whose directory
 * the pull request deletes is not planned. The graph alone cannot tell it from a stack that is merely hidden.
 */
const resolveWithoutGone = async (
  deps: RequestDeps,
  caller: RunnerCaller,
  body: Upload,
  facts: KnownFacts,
): Promise<ResolvedUpload> => {
  const defaultGraph = async () => (await findReferenceGraph(deps.pool, caller.repository.id))?.body
  const upload = await deps.resolver.resolve(body, facts, defaultGraph)
  if (!upload.ok || upload.resolution.addedStacks.length === 0) return upload
  const directories = [...new Set(upload.resolution.addedStacks.map((stack) => stack.path))]
  const there = await deps.codehost.pathsThatExist(caller.repository, facts.sha, directories)
  const goneDirectories = directories.filter((path) => !there.has(path))
  return goneDirectories.length === 0
    ? upload
    : deps.resolver.resolve(body, { ...facts, goneDirectories }, defaultGraph)
}
