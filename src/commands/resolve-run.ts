import { createHash } from 'node:crypto'
import { externalDependents } from '#db/external-edges.ts'
import { findReferenceGraph } from '#db/graphs.ts'
import { findRun, type RunRow } from '#db/runs.ts'
import { transact } from '#db/transact.ts'
import type { Resolution } from '#domain/resolve.ts'
import { crossRepo, type Warning } from '#domain/warnings.ts'
import { invalid, Problem } from '#errors.ts'
import { type Caller, namesOf, type RunnerCaller } from './caller.ts'
import { readDefaultConfig } from './default-config.ts'
import type { Deps, RequestDeps } from './deps.ts'
import { mayUpload, recordUpload } from './record-upload.ts'
import { repoRefOf } from './repo-ref.ts'
import type { ResolvedUpload, UploadFacts } from './resolve-upload.ts'

/**
 * Takes the graph of a run's commit and answers the affected stacks in waves (spec, 'POST /v1/runs/{id}/graph'). `text` is
 * the body as it came. What the upload says of the change is united with what the code host says of it, and resolved under
 * the default branch's configuration too.
 */
export const resolveRun = async (
  deps: RequestDeps,
  caller: Caller,
  runId: string,
  text: string,
  cause?: string,
): Promise<object> => {
  if (caller.kind !== 'runner') throw new Problem('forbidden', "only the pull request's own job may upload a graph")
  const run = await findRun(deps.pool, runId)
  if (!run) throw new Problem('not_found', `run ${runId} does not exist`)
  const problem = mayUpload(caller, run)
  if (problem) throw problem
  const { facts, warnings } = await gatherFacts(deps, caller, run)
  const upload = await resolveWithoutGone(deps, caller, text, facts)
  if (!upload.ok) throw invalid(upload.field, upload.reason)
  upload.resolution.warnings.unshift(...warnings)
  await addDependents(deps, run, upload.resolution, facts)
  const digest = createHash('sha256').update(text).digest('hex')
  const answer = await transact(deps.pool, (tx) => recordUpload(deps, tx, caller, { runId, upload, digest, cause }))
  if (answer instanceof Problem) throw answer
  return answer
}

/** What other repositories' default branches say of these stacks: the graph itself mostly cannot know of it. */
const addDependents = async (
  { pool }: Deps,
  run: RunRow,
  { affected, external, warnings }: Resolution,
  { defaultConfig }: UploadFacts,
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

const gatherFacts = async (
  deps: Deps,
  caller: RunnerCaller,
  run: RunRow,
): Promise<{ facts: UploadFacts; warnings: Warning[] }> => {
  const { repository } = caller
  const [defaults, graph, hostPaths] = await Promise.all([
    readDefaultConfig(deps, repository),
    findReferenceGraph(deps.pool, repository.id),
    run.pr_number === null ? undefined : deps.codehost.listPullRequestPaths(repoRefOf(repository), run.pr_number),
  ])
  const facts = {
    repos: namesOf(caller),
    sha: run.sha,
    defaultConfig: defaults.config,
    defaultGraph: graph?.body,
    hostPaths,
    goneDirectories: [],
  }
  return { facts, warnings: defaults.warnings }
}

/**
 * Resolves, and looks whether the stacks that only the default branch knows of are still there in the commit: one whose
 * directory the pull request deletes is not planned. The graph alone cannot tell it from one that is merely hidden.
 */
const resolveWithoutGone = async (
  deps: RequestDeps,
  caller: RunnerCaller,
  text: string,
  facts: UploadFacts,
): Promise<ResolvedUpload> => {
  const upload = await deps.resolveUpload(text, facts)
  if (!upload.ok || upload.resolution.addedStacks.length === 0) return upload
  const repo = repoRefOf(caller.repository)
  const directories = [...new Set(upload.resolution.addedStacks.map((stack) => stack.path))]
  const there = await deps.codehost.pathsThatExist(repo, facts.sha, directories)
  const goneDirectories = directories.filter((path) => !there.has(path))
  return goneDirectories.length === 0 ? upload : deps.resolveUpload(text, { ...facts, goneDirectories })
}
