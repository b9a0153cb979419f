import type { FastifyReply } from 'fastify'
import { html, sendPage } from './html.ts'

/** 503: the operator of the service has to do something first (docs/interface.md, 'Errors'). */
export const signInMissing = (reply: FastifyReply): FastifyReply =>
  sendPage(reply, {
    status: 503,
    title: 'Sign-in is not configured',
    body: html`<p>This service cannot ask the code host who you are: <code>CODEHOST_OAUTH_CLIENT_ID</code> and
<code>CODEHOST_OAUTH_CLIENT_SECRET</code> are not set. The operator finds both on the app's page at the code host.</p>
<p>API keys and CI jobs work without them.</p>`,
  })

/** 403: the code host says who the person is, and none of their accounts has the app. */
export const appMissing = (reply: FastifyReply): FastifyReply =>
  sendPage(reply, {
    status: 403,
    title: 'The app is not installed',
    body: html`<p>You are signed in at the code host, but the app of this service is not installed on your account or
on an organisation of yours, or it is suspended there.</p>
<ul><li>Ask an owner of your organisation to install it, or to unsuspend it.
<li>If your organisation uses single sign-on, open the organisation at the code host first, to begin a session for it.
<li>If you became a member a moment ago, wait a little.</ul>
<p><a class="button button-main" href="login">Sign in again</a></p>`,
  })
