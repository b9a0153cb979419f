import { SearchResult } from '#api/search.ts'
import { Problem } from '#errors.ts'
import { usageProblem } from '../command.ts'
import type { Api } from './api.ts'

const whole = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** As the service searches: by four digits and more. */
const begun = /^[0-9a-f][0-9a-f-]{3,}$/

/** The id of the run that a person names by its id or the beginning of it, as `svc runs` shows it. */
export const findRunId = async (api: Api, command: string, named: string | undefined): Promise<string> => {
  if (named === undefined) throw usageProblem(command, 'RUN is missing: the id of a run, or its beginning')
  const id = named.toLowerCase()
  if (whole.test(id)) return id
  if (!begun.test(id) || id.length > 36)
    throw usageProblem(command, `'${named}' is not the id of a run: a UUID, or at least its first four digits`)
  const { content } = await api.get('/v1/search', SearchResult, { q: id })
  const found = (content.runs ?? []).filter((run) => run.id.startsWith(id))
  const [only, ...others] = found
  if (only === undefined) throw new Problem('not_found', `no run that you see has an id that begins with ${id}`)
  if (others.length > 0)
    throw new Problem('invalid', `${id} is the beginning of ${found.map((run) => run.id).join(', ')}: give more of it`)
  return only.id
}
