import { z } from 'zod'
import { indexModules } from '#commands/index-modules.ts'
import { readTags } from '#commands/read-tags.ts'
import type { Handler } from '../handler.ts'

const OfRepository = z.object({ repo_id: z.number() })

/** Notes which modules the stacks of a repository use. */
export const indexModulesHandler: Handler = async (deps, job) => {
  await indexModules(deps, OfRepository.parse(job.payload).repo_id)
  return undefined
}

/** Makes the versions of modules what the tags of their repository say. */
export const readTagsHandler: Handler = async (deps, job) => {
  await readTags(deps, OfRepository.parse(job.payload).repo_id, job.cause)
  return undefined
}
