import type { PersonOrKey } from '#commands/callers/caller.ts'
import { type RepositoryName, visibleRepository } from '#commands/callers/visible-repository.ts'
import { present } from '#commands/shapes/shape-run.ts'
import { findRun, type RunRow } from '#db/machines/runs.ts'
import type { Repository } from '#db/repositories/repositories.ts'
import type { Pool } from '#db/sql.ts'
import {
  affectedOfRun,
  commitsBeginning,
  findCompactText,
  findGraphText,
  graphOfCommit,
  newestGraph,
} from '#db/views/graph-text.ts'
import { invalid, Problem } from '#errors.ts'
import type { RequestDeps } from '../deps.ts'

type Asked = { ref?: string | undefined; run?: string | undefined; form?: 'compact' | undefined }

/**
 * A recorded graph as the JSON text of its answer (docs/interface.md, 'GET /v1/repos/{owner}/{repo}/graph'): put together
 * from texts, since parsing and checking 8 MB would hold up all other requests for some 100 ms.
 */
export const readGraph = async (
  { pool, rowsOf }: Pick<RequestDeps, 'pool' | 'rowsOf'>,
  caller: PersonOrKey,
  name: RepositoryName,
  asked: Asked,
): Promise<string> => {
  const repository = await visibleRepository(pool, caller, name)
  const run = asked.run === undefined ? undefined : await runOf(pool, repository, asked.run)
  const graphId = await graphIdOf(pool, repository, asked.ref, run)
  const graph = graphId === undefined ? undefined : await textsOf(pool, repository.id, graphId, asked.form)
  if (!graph)
    throw new Problem('not_found', `${repository.full_name} has no recorded graph${run ? ` of run ${run.id}` : ''}`)
  const placeOf = async ({ id }: RunRow): Promise<Pool> => {
    const rows = await rowsOf(id)
    return rows.archived ? rows.pool : pool
  }
  const fields = {
    repo: JSON.stringify(repository.full_name),
    ...graph,
    ...(run && asked.form === undefined ? await scheduleOf(await placeOf(run), run) : {}),
  }
  return `{${Object.entries(fields)
    .map(([field, text]) => `"${field}":${text}`)
    .join(',')}}`
}

/** The fields of an answer that are of the graph alone, each as its JSON text. */
const textsOf = async (
  pool: Pool,
  repoId: number,
  id: string,
  form: Asked['form'],
): Promise<Record<string, string> | undefined> => {
  if (form === undefined) {
    const graph = await findGraphText(pool, repoId, id)
    return graph && { sha: JSON.stringify(graph.sha), graph: graph.body, stack_ids: graph.stack_ids }
  }
  const graph = await findCompactText(pool, repoId, id)
  if (graph?.compact === null) {
    throw new Problem('not_found', 'the graph was recorded before there was a compact form: upload it again')
  }
  return graph && { sha: JSON.stringify(graph.sha), graph: graph.compact }
}

const runOf = async (pool: Pool, repository: Repository, id: string): Promise<RunRow> => {
  const run = await findRun(pool, id)
  if (run?.repo_id !== repository.id) throw new Problem('not_found', `${repository.full_name} has no run ${id}`)
  return run
}

const graphIdOf = async (
  pool: Pool,
  repository: Repository,
  ref: string | undefined,
  run: RunRow | undefined,
): Promise<string | undefined> => {
  if (ref === undefined && run) return run.graph_id ?? undefined
  if (ref === undefined) return repository.default_graph_id ?? newestGraph(pool, repository.id)
  if (ref !== 'default') return graphOfCommit(pool, repository.id, await commitOf(pool, repository, ref))
  if (repository.default_graph_id !== null) return repository.default_graph_id
  throw new Problem('not_found', `${repository.full_name} has no default-branch graph before its first merge`)
}

const commitOf = async (pool: Pool, repository: Repository, ref: string): Promise<string> => {
  if (!/^[0-9a-f]{7,64}$/i.test(ref)) {
    throw invalid('ref', 'must be a commit id, at least 7 characters of its beginning, or default')
  }
  const [commit, another] = await commitsBeginning(pool, repository.id, ref.toLowerCase())
  if (another !== undefined)
    throw invalid('ref', `${ref} is the beginning of several commits with a graph: give more of it`)
  if (commit === undefined) throw new Problem('not_found', `${repository.full_name} has no recorded graph of ${ref}`)
  return commit
}

/** As texts: the stacks that the run affects, and their keys by wave; neither if there are none. */
const scheduleOf = async (pool: Pool, run: RunRow): Promise<Record<string, string>> => {
  const affected = await affectedOfRun(pool, run.id)
  if (affected.length === 0) return {}
  const waves: string[][] = []
  for (const { wave, key } of affected) {
    const keys = waves[wave] ?? []
    keys.push(key)
    waves[wave] = keys
  }
  return {
    affected: JSON.stringify(affected.map(({ key, path, wave, ...rest }) => ({ key, path, wave, ...present(rest) }))),
    waves: JSON.stringify(Array.from(waves, (keys) => keys ?? [])),
  }
}
