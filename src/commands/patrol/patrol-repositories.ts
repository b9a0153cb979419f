import { isDatabaseDown } from '#db/database-trouble.ts'
import { findRepositories, type Repository } from '#db/repositories/repositories.ts'
import { Problem } from '#errors.ts'
import type { Deps } from '../deps.ts'

export type PatrolDeps = Deps & { signal: AbortSignal }

/**
 * Does something for one repository after another. A failure is logged and does not stop the others; if the code host asks to
 * be left alone, the other repositories of that installation are left for the next time.
 */
export const patrolRepositories = async (
  { pool, log, signal }: Pick<PatrolDeps, 'pool' | 'log' | 'signal'>,
  ids: readonly number[],
  work: (repository: Repository) => Promise<void>,
): Promise<void> => {
  const resting = new Set<number>()
  for (const repository of await findRepositories(pool, [...new Set(ids)])) {
    signal.throwIfAborted()
    if (repository.removed || repository.suspended || resting.has(repository.installation_id)) continue
    try {
      await work(repository)
    } catch (error) {
      if (isDatabaseDown(error)) throw error
      // it asked for a pause, or does not answer: 30 s for each of its repositories would keep others waiting for theirs
      if (error instanceof Problem && error.code === 'unavailable') resting.add(repository.installation_id)
      log.warn({ err: error, repo: repository.full_name }, 'a repository could not be reconciled')
    }
  }
}

/** Some of many, the next ones each time: work that takes a request each is bounded, and each item gets its turn. */
export const turn = <T>(all: readonly T[], most: number, round: number): T[] => {
  if (all.length <= most) return [...all]
  const start = (round * most) % all.length
  return [...all.slice(start), ...all.slice(0, start)].slice(0, most)
}
