import type { Tag } from '#codehost/port.ts'
import { addJobs } from '#db/queue/jobs.ts'
import { putTags, type TagRow, tagsOfRepository } from '#db/repositories/module-tags.ts'
import { allHomes, modulesAtHome } from '#db/repositories/modules.ts'
import { transact } from '#db/transact.ts'
import { holdsVersion, moduleVersions } from '#domain/module-version.ts'
import { makeJob } from '#jobs/job.ts'
import type { Deps } from '../deps.ts'
import { versionModules } from './index-modules.ts'

/** Tags dated in one job: each takes a request, and an installation has 5,000 an hour. */
const datedAtOnce = 100

type TagDeps = Pick<Deps, 'pool' | 'findRepository' | 'codehost' | 'clock'>

/**
 * Brings the versions of the modules kept in a repository in line with its tags and releases. The dates of tags without a
 * release are asked for one by one, newest versions first; the rest waits a minute.
 */
export const readTags = async (deps: TagDeps, repoId: number, cause: string | null): Promise<void> => {
  const repository = await deps.findRepository(repoId)
  if (!repository || repository.removed || repository.suspended) return
  const codehost = cause === null ? deps.codehost : deps.codehost.causedBy(cause)
  const tags = (await codehost.listTags(repository)).filter(({ name }) => holdsVersion(name))
  const releases = tags.length === 0 ? [] : await codehost.listReleases(repository)
  const plain = new Set(tags.flatMap(({ name, object }) => (object === undefined ? [name] : [])))
  const dates = new Map(
    releases.flatMap(({ tag, publishedAt }) => (publishedAt && plain.has(tag) ? [[tag, publishedAt] as const] : [])),
  )
  const undated = await undatedVersions(deps, repoId, tags, dates)
  for (const tag of undated.slice(0, datedAtOnce)) {
    const date = await codehost.dateOfTag(repository, tag)
    if (date !== undefined) dates.set(tag.name, date)
  }
  await transact(deps.pool, async (tx) => {
    const rows = tags.map(({ name, sha }) => ({ tag: name, sha, tagged_at: dates.get(name) ?? null }))
    await putTags(tx, repoId, rows, deps.clock.now())
    await versionModules(tx, repoId)
    const runAt = new Date(deps.clock.now().getTime() + 60_000)
    if (undated.length > datedAtOnce) await addJobs(tx, [makeJob('read_tags', { repo_id: repoId }, { cause, runAt })])
  })
}

/** Tags that are a version of some module and have no known date. An annotated tag has its own date. */
const undatedVersions = async (
  { pool }: TagDeps,
  repoId: number,
  tags: readonly Tag[],
  dates: ReadonlyMap<string, string>,
): Promise<Tag[]> => {
  const known = new Map((await tagsOfRepository(pool, repoId)).map((row) => [row.tag, row]))
  const names = tags.map(({ name }) => name)
  const paths = new Set((await modulesAtHome(pool, repoId)).map(({ path }) => path))
  const byName = new Map(tags.map((tag) => [tag.name, tag]))
  const used = new Set([...paths].flatMap((path) => moduleVersions(path, names).map(({ tag }) => tag)))
  return [...used].flatMap((name) => {
    const tag = byName.get(name)
    return tag && !isDated(tag, known.get(name), dates) ? [tag] : []
  })
}

const isDated = (tag: Tag, row: TagRow | undefined, dates: ReadonlyMap<string, string>): boolean =>
  (row?.sha === tag.sha && row.tagged_at !== null) || dates.has(tag.name)

/** Queues a read of the repository's tags; false if no module is kept there, so its tags do not matter. */
export const followTag = async (
  { pool }: Pick<Deps, 'pool'>,
  repoId: number,
  cause?: string | null,
): Promise<boolean> => {
  if ((await modulesAtHome(pool, repoId)).length === 0) return false
  await addJobs(pool, [makeJob('read_tags', { repo_id: repoId }, { cause })])
  return true
}

/**
 * Queues a read of the tags of every repository that modules are kept in: if several tags are pushed at once, the code host
 * reports none of them.
 */
export const readAllTags = async ({ pool }: Pick<Deps, 'pool'>, cause: string | null): Promise<void> => {
  const homes = await allHomes(pool)
  await addJobs(
    pool,
    homes.map((id) => makeJob('read_tags', { repo_id: id }, { cause })),
  )
}
