import { z } from 'zod'
import { Whoami } from '#api/whoami.ts'
import { Problem } from '#errors.ts'
import type { Context } from '../command.ts'
import { apiFor } from '../people/api.ts'
import { segment } from '../service/service.ts'
import { type Finding, findingsOf } from './finding.ts'

const key = findingsOf('key')
const repository = findingsOf('repository')

const Page = z.object({ items: z.array(z.unknown()) })

/** Examines, with an API key, whether the service takes it, and whether it knows the repository. */
export const examineKey = async (values: { url?: string }, repo: string, context: Context): Promise<Finding[]> => {
  const { apiKey, serviceUrl } = context.environment
  if (apiKey === undefined || (values.url ?? serviceUrl) === undefined) return []
  try {
    const api = apiFor(values, context)
    const { content } = await api.get('/v1/me', Whoami)
    const known = key.ok(`the service takes SVC_API_KEY, as ${content.login}`)
    if (repo.startsWith('local/'))
      return [known, repository.skip('git does not say which repository this is', 'git remote add origin …')]
    const path = repo.split('/').map(segment).join('/')
    const isKnown = await api.get(`/v1/repos/${path}/stacks`, Page, { limit: '1' }).then(
      () => true,
      (error) => {
        if (error instanceof Problem && error.code === 'not_found') return false
        throw error
      },
    )
    return [
      known,
      isKnown
        ? repository.ok(`the service knows ${repo}`)
        : repository.fail(`the service does not know ${repo}`, 'install its app on the repository, or on its owner'),
    ]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return [key.fail(error.message, 'make one with svc-server api-key create, where the service runs')]
  }
}
