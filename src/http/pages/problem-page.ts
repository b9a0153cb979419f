import type { FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { problemOf, sendProblem } from '../problem.ts'
import { type Html, html, sendPage } from './html.ts'

/**
 * On routes that browsers open, errors are pages for requests that accept HTML, and the usual JSON for all others. `wayOn` is what the page
 * offers who made a request.
 */
export const showProblemsAsPages = (scope: App, wayOn: (request: FastifyRequest) => Html | undefined): void => {
  scope.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error, request.routeOptions.bodyLimit)
    if (!wantsPage(request)) return sendProblem(request, reply, problem)
    if (problem.status >= 500) {
      request.log.warn({ err: problem.cause ?? problem }, 'a page could not be shown')
    }
    return sendPage(reply, {
      status: problem.status,
      title: titles[problem.status] ?? 'That did not work',
      body: html`<p>${problem.message}</p>${wayOn(request)}<p class="quiet">Request ${request.id}</p>`,
    })
  })
}

const titles: Record<number, string> = {
  404: 'Nothing is here',
  503: 'Not now',
}

const wantsPage = (request: FastifyRequest): boolean => /\btext\/html\b/i.test(request.headers.accept ?? '')
