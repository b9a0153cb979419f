import { addJobs } from '#db/queue/jobs.ts'
import { findModuleGraph } from '#db/repositories/module-graph.ts'
import { putVersions, tagsOfRepository } from '#db/repositories/module-tags.ts'
import { homesOfModules, modulesAtHome, putModulesOfRepository } from '#db/repositories/modules.ts'
import { lockRepository } from '#db/repositories/repositories.ts'
import type { Tx } from '#db/sql.ts'
import { ofAny } from '#db/tenant.ts'
import { transact } from '#db/transact.ts'
import { modulesOfGraph } from '#domain/graph/module-use.ts'
import { moduleVersions } from '#domain/module-version.ts'
import { makeJob } from '#jobs/job.ts'
import { inSteps } from '#portions.ts'
import type { Deps } from '../deps.ts'

/**
 * Records which modules a repository's listed graph has and which stacks use them. The graph is looked into here and not
 * in the transaction that listed it: 8 MB take Postgres some 0.3 s, and others wait for that one's locks.
 */
export const indexModules = async ({ pool }: Pick<Deps, 'pool'>, repoId: number): Promise<void> => {
  const listed = await findModuleGraph(pool, repoId)
  if (!listed) return
  const found = await inSteps(modulesOfGraph(listed.graph, listed.repo))
  await transact(pool, async (tx) => {
    await putModulesOfRepository(tx, repoId, found)
    const homes = await homesOfModules(
      tx,
      repoId,
      found.families.map(({ key }) => key),
    )
    // the tags of a new module's repository may be known already; it may be another installation's
    for (const { id, read } of homes) if (read) await versionModules(ofAny(tx), id)
    const unread = homes.filter(({ read }) => !read)
    await addJobs(
      tx,
      unread.map(({ id }) => makeJob('read_tags', { repo_id: id }, { cause: null })),
    )
  })
}

/** Turns the known tags of a repository into versions, for each module family kept there. */
export const versionModules = async (tx: Tx, repoId: number): Promise<void> => {
  // two jobs may do this at once: neither may read anything older than what the other wrote
  await lockRepository(tx, repoId)
  const tags = (await tagsOfRepository(tx, repoId)).map(({ tag }) => tag)
  const modules = await modulesAtHome(tx, repoId)
  await putVersions(tx, repoId, new Map(modules.map(({ id, path }) => [id, moduleVersions(path, tags)])))
}
