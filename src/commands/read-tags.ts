import type { Tag } from '#codehost/port.ts'
import { addJobs } from '#db/jobs.ts'
import { putTags, type TagRow, tagsOfRepository } from '#db/module-tags.ts'
import { allHomes, modulesAtHome, readTagsJob } from '#db/modules.ts'
import { findRepository } from '#db/repositories.ts'
import { transact } from '#db/transact.ts'
import { holdsVersion, moduleVersions } from '#domain/module-version.ts'
import type { Deps } from './deps.ts'
import { versionModules } from './index-modules.ts'
import { repoRefOf } from './repo-ref.ts'

/** Tags that are dated in one go: each takes a request, of which an installation has 5,000 in an hour. */
const datedAtOnce = 100

type TagDeps = Pick<Deps, 'pool' | 'codehost' | 'clock'>

/**
 * Makes the versions of the modules that are kept in a repository what its tags and releases say now. Dates of tags that no
 * release tells are asked for one by one, the newest versions first; what is left waits a minute.
 */
export const readTags = async (deps: TagDeps, repoId: number, cause: string | null): Promise<void> => {
  const repository = await findRepository(deps.pool, repoId)
  if (!repository || repository.removed || repository.suspended) return
  const codehost = cause === null ? deps.codehost : deps.codehost.causedBy(cause)
  const from = repoRefOf(repository)
  const tags = (await codehost.listTags(from)).filter(({ name }) => holdsVersion(name))
  const releases = tags.length === 0 ? [] : await codehost.listReleases(from)
  const plain = new Set(tags.flatMap(({ name, object }) => (object === undefined ? [name] : [])))
  const dates = new Map(
    releases.flatMap(({ tag, publishedAt }) => (publishedAt && plain.has(tag) ? [[tag, publishedAt] as const] : [])),
  )
  const undated = await undatedVersions(deps, repoId, tags, dates)
  for (const tag of undated.slice(0, datedAtOnce)) {
    const date = await codehost.dateOfTag(from, tag)
    if (date !== undefined) dates.set(tag.name, date)
  }
  await transact(deps.pool, async (tx) => {
    const rows = tags.map(({ name, sha }) => ({ tag: name, sha, taggedAt: dates.get(name) ?? null }))
    await putTags(tx, repoId, rows, deps.clock.now())
    await versionModules(tx, repoId)
    const runAt = new Date(deps.clock.now().getTime() + 60_000)
    if (undated.length > datedAtOnce) await addJobs(tx, [readTagsJob(repoId, { cause, runAt })])
  })
}

/** Tags that are a version of some module, whose date is not known; that of an annotated tag is its own. */
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

/** Has the tags of a repository read soon; false where no module is kept there, so that its tags are of no interest. */
export const followTag = async (
  { pool }: Pick<Deps, 'pool'>,
  repoId: number,
  cause?: string | null,
): Promise<boolean> => {
  if ((await modulesAtHome(pool, repoId)).length === 0) return false
  await addJobs(pool, [readTagsJob(repoId, { cause: cause ?? null })])
  return true
}

/** Has the tags of every repository read that modules are kept in: of several tags pushed at once the code host tells none. */
export const readAllTags = async ({ pool }: Pick<Deps, 'pool'>, cause: string | null): Promise<void> => {
  const homes = await allHomes(pool)
  await addJobs(
    pool,
    homes.map((id) => readTagsJob(id, { cause })),
  )
}
