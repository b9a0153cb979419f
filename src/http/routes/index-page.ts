import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServerDeps } from '../app.ts'
import { html } from '../pages/html.ts'

/**
 * The page for every path without a route if the web interface was not built: says so, what this service is, and where to go on.
 */
export const indexPage = ({ build, baseUrl }: Pick<ServerDeps, 'build' | 'baseUrl'>) => {
  const page = document(build.version, baseUrl)
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; frame-ancestors 'none'`
  return (_request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page)
}

const style = 'body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}'
const styleHash = createHash('sha256').update(style).digest('base64')

const document = (version: string, baseUrl: string): string =>
  html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>svc</title>
<style>${{ html: style }}</style>
<h1>svc</h1>
<p>Stack orchestration service, version ${version}. Pull requests have its check runs and its comment.</p>
<p>Its web interface is not here: this service was started from sources that were never built. <code>npm run build</code> builds it,
and the next start serves it.</p>
<ul>
<li><a href="${baseUrl}/v1/openapi.json">The API</a> (OpenAPI 3.1)
<li><a href="${baseUrl}/readyz">Whether it can serve</a>
</ul>
</html>
`.html
