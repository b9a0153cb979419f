import { createHash } from 'node:crypto'
import { type Caller, ownerOf, type RunnerCaller } from '#commands/callers/caller.ts'
import { namesOf } from '#commands/callers/claim-problem.ts'
import { readDefaultConfig } from '#commands/policy/default-config.ts'
import type { Upload, UploadFacts } from '#commands/resolving/resolve-upload.ts'
import { findRun, type RunRow } from '#db/machines/runs.ts'
import { externalDependents } from '#db/repositories/external-edges.ts'
import { findReferenceText } from '#db/repositories/graphs.ts'
import { limits } from '#domain/limits.ts'
import { homesOf } from '#domain/resolution/gone.ts'
import type { Resolution } from '#domain/resolution/resolve.ts'
import { crossRepo, type Warning } from '#domain/texts/warnings.ts'
import { invalid, Problem } from '#errors.ts'
import { type RowPlace, rowOfPullRequest } from '#runtime/row-turns.ts'
import type { Deps, RequestDeps } from '../deps.ts'
import { answerBefore, mayUpload, recordUpload } from './record-upload.ts'

/**
 * Takes the graph of a run's commit and returns the affected stacks in waves, as UTF-8 JSON text (docs/interface.md, 'POST
 * /v1/runs/{id}/graph'). The upload's list of changes is joined with the code host's, and resolved under the default branch's
 * configuration too.
 */
export const resolveRun = async (
  deps: RequestDeps,
  caller: Caller,
  runId: string,
  body: Pick<Upload, 'bytes' | 'signal'>,
  cause?: string,
): Promise<Uint8Array> => {
  if (caller.kind !== 'runner') throw new Problem('forbidden', "only the pull request's own job may upload a graph")
  const run = await findRun(deps.pool, runId)
  if (!run) throw new Problem('not_found', `run ${runId} does not exist`)
  const problem = mayUpload(caller, run)
  if (problem) throw problem
  const digest = createHash('sha256').update(body.bytes).digest('hex')
  const answered = await answerBefore(deps.pool, run, digest)
  if (answered !== undefined) return answered
  // the code host is asked before and between turns: where it hangs, large uploads of others would wait for it
  const known = await gatherFacts(deps, caller, run)
  const owner = { installationId: caller.repository.installation_id, repoId: run.repo_id }
  const taking = { ...known, run, upload: { ...body, owner }, digest, cause }
  let outcome = await inTurn(deps, caller, taking)
  while ('unchecked' in outcome) {
    const gonePaths = await goneOf(deps, caller, run, outcome.unchecked)
    outcome = await inTurn(deps, caller, { ...taking, gonePaths })
  }
  if (outcome.taken instanceof Problem) throw outcome.taken
  return outcome.taken
}

type Taking = Known & {
  run: RunRow
  upload: Upload
  digest: string
  cause: string | undefined
  /** Once they were looked for: directories, and files that make instances, that the commit does not have. */
  gonePaths?: string[]
}

/** What came of it; or the paths that are to be looked for before. */
type Outcome = { taken: Uint8Array | Problem } | { unchecked: string[] }

const inTurn = (deps: RequestDeps, caller: RunnerCaller, taking: Taking): Promise<Outcome> =>
  deps.resolver.inTurn(taking.upload, () => resolveAndRecord(deps, caller, taking))

/**
 * Resolves, and records what came of it. A stack that only the default branch knows, and whose directory or file the pull request
 * deletes, is not planned; the graph alone cannot tell it from a stack that is merely hidden, so the commit is looked into first.
 */
const resolveAndRecord = async (
  deps: RequestDeps,
  caller: RunnerCaller,
  { run, upload: given, digest, facts, warnings, gonePaths, cause }: Taking,
): Promise<Outcome> => {
  const known = { ...facts, gonePaths }
  const upload = await deps.resolver.resolve(given, known, (what) =>
    findReferenceText(deps.pool, caller.repository.id, what),
  )
  if (!upload.ok) throw invalid(upload.field, upload.reason)
  const { resolution } = upload
  if (gonePaths === undefined && resolution.addedStacks.length > 0)
    return { unchecked: [...new Set(resolution.addedStacks.flatMap((stack) => homesOf(facts.defaultConfig, stack)))] }
  resolution.warnings.unshift(...warnings)
  await addDependents(deps, run, resolution, facts)
  const taken = await deps.runtime.transactInTurn(placeOf(caller, run, given), (tx) =>
    recordUpload(deps, tx, caller, { runId: run.id, upload, digest, cause }),
  )
  return { taken }
}

/** Other large uploads wait for this one's end, and not long for a row that is held. */
const largePatienceMs = 1000

const placeOf = (caller: RunnerCaller, { id, repo_id, pr_number }: RunRow, { bytes }: Upload): RowPlace => ({
  owner: ownerOf(caller),
  installationId: caller.repository.installation_id,
  row: pr_number === null ? id : rowOfPullRequest(repo_id, pr_number),
  ...(bytes.length < limits.largeGraphBytes ? {} : { patienceMs: largePatienceMs }),
})

const goneOf = async (
  { codehost }: Deps,
  { repository }: RunnerCaller,
  { sha }: RunRow,
  paths: readonly string[],
): Promise<string[]> => {
  const there = await codehost.pathsThatExist(repository, sha, paths)
  return paths.filter((path) => !there.has(path))
}

/** Adds the stacks of other repositories' default branches that depend on these: the graph itself mostly cannot know them. */
const addDependents = async (
  { pool }: Deps,
  run: RunRow,
  { affected, external, warnings }: Resolution,
  { defaultConfig }: Known['facts'],
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

type Known = {
  /** The default branch's graph is read when the upload is resolved: it is up to 8 MB. */
  facts: Omit<UploadFacts, 'defaultGraph' | 'gonePaths'>
  warnings: Warning[]
}

const gatherFacts = async (deps: Deps, caller: RunnerCaller, run: RunRow): Promise<Known> => {
  const { repository, claims } = caller
  const pull = run.pr_number ?? claims.mergeGroup?.prNumber
  const [defaults, hostPaths] = await Promise.all([
    readDefaultConfig(deps, repository),
    pull === undefined ? undefined : deps.codehost.listPullRequestPaths(repository, pull),
  ])
  const facts = { repos: namesOf(caller), sha: run.sha, defaultConfig: defaults.config, hostPaths }
  return { facts, warnings: defaults.warnings }
}
