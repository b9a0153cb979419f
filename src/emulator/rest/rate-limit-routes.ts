import { rateLimitFigures } from './serving/rate-limit.ts'
import { openRoute } from './serving/route.ts'

/** Asking costs nothing, so the token is looked up here, without the usual authentication. */
export const rateLimitRoutes = [
  openRoute('GET', '/rate_limit', ({ world, headers, caller }) => {
    const token = /^(?:bearer|token) (\S+)$/i.exec(String(headers.authorization ?? ''))?.[1]
    const installationId = token === undefined ? undefined : world.store.tokens.get(token)?.installationId
    if (installationId !== undefined) caller.installationId = installationId
    const core = rateLimitFigures(world, installationId)
    const search = { limit: 30, remaining: 30, reset: core.reset, used: 0 }
    return { body: { resources: { core, search }, rate: core } }
  }),
]
