import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServerDeps } from '../app.ts'
import { html, sendPage } from '../pages/html.ts'

/**
 * The page for every path without a route if the web interface was not built: says so, what this service is, and where to go on.
 */
export const indexPage = ({ build, baseUrl }: Pick<ServerDeps, 'build' | 'baseUrl'>) => {
  const body = html`<p>Stack orchestration service, version ${build.version}. Pull requests have its check runs and its comment.</p>
<p>Its web interface is not here: this service was started from sources that were never built. <code>npm run build</code> builds it,
and the next start serves it.</p>
<ul>
<li><a href="${baseUrl}/v1/openapi.json">The API</a> (OpenAPI 3.1)
<li><a href="${baseUrl}/readyz">Whether it can serve</a>
</ul>`
  return (_request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendPage(reply, { title: 'Web interface not built', body })
}
