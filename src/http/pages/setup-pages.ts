import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { NewApp } from '#codehost/manifest.ts'
import { limits } from '#domain/limits.ts'
import { appManifest } from '#domain/texts/app-manifest.ts'
import { html, sendPage } from './html.ts'

export type SetupPlace = {
  baseUrl: string
  webUrl: string
  apiUrl: string
  /** Whether the code host is not github.com: then the service's configuration must say where it is. */
  selfHosted: boolean
}

type Form = { state: string; name: string; org: string | undefined; force: boolean }

/** A form that takes the manifest to the code host, and a form that changes its contents. */
export const manifestForm = (reply: FastifyReply, place: SetupPlace, { state, name, org, force }: Form) => {
  const { baseUrl, webUrl } = place
  const owner = org === undefined ? '' : `/organizations/${encodeURIComponent(org)}`
  const action = `${webUrl}${owner}/settings/apps/new?state=${encodeURIComponent(state)}`
  const host = new URL(webUrl).host
  return sendPage(reply, {
    title: 'Set up this service',
    forms: `'self' ${new URL(webUrl).origin}`,
    body: html`<p>The service works as an app of the code host. ${host} creates one from a form that is already filled in:
on ${org === undefined ? html`your own account` : html`the organisation <strong>${org}</strong>`}, called
<strong>${name}</strong>, for <code>${baseUrl}</code>. Check the form there; afterwards you come back with the app's credentials.</p>
<form method="post" action="${action}"><input type="hidden" name="manifest"
value="${JSON.stringify(appManifest(baseUrl, name))}"><button class="button button-main">Create the app on ${host}</button></form>
<h2>Use another owner or name</h2>
<form method="get" action="setup">${force ? html`<input type="hidden" name="force" value="1">` : undefined}
<label>Organisation (leave empty for your own account) <input name="org" value="${org}" autocomplete="off"></label>
<label>Name of the app, up to ${limits.appNameChars} characters <input name="name" value="${name}"
maxlength="${limits.appNameChars}" autocomplete="off"></label><button class="button">Change</button></form>
<p class="quiet">The form is valid for an hour, in this browser.</p>`,
  })
}

export const alreadySetUp = (reply: FastifyReply): FastifyReply =>
  sendPage(reply, {
    title: 'An app is configured',
    body: html`<p>This service already has an app: there is nothing to set up.</p>
<p>To create another one, start the service with <code>SVC_ALLOW_RESETUP=true</code> and open <code>/setup?force=1</code>; the new
credentials replace the old ones when the service is started with them.</p>`,
  })

export const installed = (reply: FastifyReply, { baseUrl }: SetupPlace): FastifyReply =>
  sendPage(reply, {
    title: 'The app is installed',
    body: html`<p>The service will know its repositories in a moment, once it runs with the app's credentials.</p>
<p><a class="button button-main" href="${baseUrl}/">Go on</a></p>`,
  })

/** The only time that the credentials are shown: nothing of them is stored here. */
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
    title: `${app.name} was created`,
    body: html`<p><strong>Copy this now: it is shown once.</strong> Put it into the environment of the service, and start it
again. In the private key, the two characters <code>\\n</code> mean a line break.</p>
<pre>${variables.map(([name, value]) => `${name}=${value}`).join('\n')}</pre>
${
  app.webhookSecret === null
    ? html`<p>The code host created no webhook secret: enter the one above on the app's page.</p>`
    : undefined
}<p>The private key, if you need it as a file:</p>
<pre>${app.privateKey.trim()}</pre>
<p>Then <a href="${app.url}/installations/new">install the app</a> on the repositories that the service should manage.</p>`,
  })
}
