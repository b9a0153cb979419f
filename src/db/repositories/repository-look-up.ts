import { createBatch } from '../batch.ts'
import type { Pool } from '../sql.ts'
import { findRepositories, type Repository } from './repositories.ts'

export type FindRepository = (id: number) => Promise<Repository | undefined>

/**
 * Finds repositories by their ids, outside of transactions. Those that are asked for at about the same time share a statement: nearly every
 * delivery begins with one, and many a job. Nothing is cached: a repository that is removed or suspended is refused at once.
 */
export const createRepositoryLookUp = (pool: Pool): FindRepository =>
  createBatch(async (ids: number[]) => {
    const repositories = await findRepositories(pool, [...new Set(ids)])
    const byId = new Map(repositories.map((repository) => [repository.id, repository]))
    return (id: number) => byId.get(id)
  })
