import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { NewApp } from '#codehost/manifest.ts'
import { appManifest } from '#domain/app-manifest.ts'
import { limits } from '#domain/limits.ts'
import { html, sendPage } from './html.ts'

export type SetupPlace = {
  baseUrl: string
  webUrl: string
  apiUrl: string
  /** Whether the code host is not github.com: then the service has to be told where it is. */
  selfHosted: boolean
}

type Form = { state: string; name: string; org: string | undefined; force: boolean }

/** The form that brings the manifest to the code host, and one that changes what it says. */
export const manifestForm = (reply: FastifyReply, place: SetupPlace, { state, name, org, force }: Form) => {
  const { baseUrl, webUrl } = place
  const owner = org === undefined ? '' : `/organizations/${encodeURIComponent(org)}`
  const action = `${webUrl}${owner}/settings/apps/new?state=${encodeURIComponent(state)}`
  const host = new URL(webUrl).host
  return sendPage(reply, {
    title: 'Set this service up',
    forms: `'self' ${new URL(webUrl).origin}`,
    body: html`<p>The service works as an app of the code host. ${host} makes one out of a form that is filled in already:
on ${org === undefined ? html`your own account` : html`the organisation <strong>${org}</strong>`}, called
<strong>${name}</strong>, for <code>${baseUrl}</code>. Look it over there, and come back with its credentials.</p>
<form method="post" action="${action}"><input type="hidden" name="manifest"
value="${JSON.stringify(appManifest(baseUrl, name))}"><button>Create the app on ${host}</button></form>
<h2>Somewhere else, or by another name</h2>
<form method="get" action="setup">${force ? html`<input type="hidden" name="force" value="1">` : undefined}
<label>Organisation, or nothing for your own account <input name="org" value="${org}" autocomplete="off"></label>
<label>Name of the app, up to ${limits.appNameChars} characters <input name="name" value="${name}"
maxlength="${limits.appNameChars}" autocomplete="off"></label><button>Change</button></form>
<p class="quiet">The form is good for an hour, in this browser.</p>`,
  })
}

export const alreadySetUp = (reply: FastifyReply): FastifyReply =>
  sendPage(reply, {
    title: 'An app is configured',
    body: html`<p>This service has its app: there is nothing to set up.</p>
<p>To make another one, start it with <code>SVC_ALLOW_RESETUP=true</code> and open <code>/setup?force=1</code>; the new
credentials take the place of the old ones when the service is started with them.</p>`,
  })

export const installed = (reply: FastifyReply, { baseUrl }: SetupPlace): FastifyReply =>
  sendPage(reply, {
    title: 'The app is installed',
    body: html`<p>Its repositories are known to the service in a moment, once it runs with the app's credentials.</p>
<p><a class="button" href="${baseUrl}/">Go on</a></p>`,
  })

/** The one time that the credentials are seen: nothing of them is kept here. */
export const credentials = (reply: FastifyReply, place: SetupPlace, app: NewApp): FastifyReply => {
  const webhookSecret = app.webhookSecret ?? randomBytes(32).toString('hex')
  const variables = [
    ['CODEHOST_APP_ID', app.id],
    ['CODEHOST_WEBHOOK_SECRET', webhookSecret],
    ['CODEHOST_OAUTH_CLIENT_ID', app.clientId],
    ['CODEHOST_OAUTH_CLIENT_SECRET', app.clientSecret],
    ['CODEHOST_APP_PRIVATE_KEY', app.privateKey.trim().replaceAll('\n', '\\n')],
    ...(place.selfHosted
      ? [['CODEHOST_API_URL', place.apiUrl] as const, ['CODEHOST_WEB_URL', place.webUrl] as const]
      : []),
  ]
  return sendPage(reply, {
    title: `${app.name} is made`,
    body: html`<p><strong>Copy this now: it is shown once.</strong> Put it into the environment of the service and start it
anew. In the private key the two characters <code>\\n</code> stand for a line's end.</p>
<pre>${variables.map(([name, value]) => `${name}=${value}`).join('\n')}</pre>
${
  app.webhookSecret === null
    ? html`<p>The code host made no webhook secret: enter the one above on the app's page.</p>`
    : undefined
}<p>The private key as a file, where one is wanted:</p>
<pre>${app.privateKey.trim()}</pre>
<p>Then <a href="${app.url}/installations/new">install the app</a> on the repositories that the service is to look after.</p>`,
  })
}
