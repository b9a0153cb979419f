import { addJobs } from '#db/jobs.ts'
import { lockRepository, putVersions, tagsOfRepository } from '#db/module-tags.ts'
import { findListedGraph, homesOfModules, modulesAtHome, putModulesOfRepository, readTagsJob } from '#db/modules.ts'
import type { Tx } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import type { Graph } from '#domain/graph.ts'
import { modulesOfGraph } from '#domain/module-use.ts'
import { moduleVersions } from '#domain/module-version.ts'
import type { Deps } from './deps.ts'

/**
 * Notes which modules the listed graph of a repository has and which stacks use them. The graph is parsed here and not in
 * the transaction that listed it: 8 MB take 80 ms, under locks that others wait for.
 */
export const indexModules = async ({ pool }: Pick<Deps, 'pool'>, repoId: number): Promise<void> => {
  const listed = await findListedGraph(pool, repoId)
  if (!listed) return
  const found = modulesOfGraph(JSON.parse(listed.body) as Graph, listed.full_name)
  await transact(pool, async (tx) => {
    await putModulesOfRepository(tx, repoId, found)
    const homes = await homesOfModules(
      tx,
      found.families.map(({ key }) => key),
    )
    // a module that is new may be kept where the tags are known already
    for (const { id, read } of homes) if (read) await versionModules(tx, id)
    const unread = homes.filter(({ read }) => !read)
    await addJobs(
      tx,
      unread.map(({ id }) => readTagsJob(id)),
    )
  })
}

/** Makes versions of the tags that are known of a repository, for each family that is kept there. */
export const versionModules = async (tx: Tx, repoId: number): Promise<void> => {
  // two jobs may be at it: what one of them reads must not be older than what the other wrote
  await lockRepository(tx, repoId)
  const tags = (await tagsOfRepository(tx, repoId)).map(({ tag }) => tag)
  const modules = await modulesAtHome(tx, repoId)
  await putVersions(tx, repoId, new Map(modules.map(({ id, path }) => [id, moduleVersions(path, tags)])))
}
