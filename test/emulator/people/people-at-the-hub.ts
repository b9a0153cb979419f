import type { Emulator } from '#emulator/emulator.ts'
import { type Ask, asking } from '../hub.ts'

/** Acts like a browser: sends the fields of a form and does not follow the redirect. */
export const postForm = (url: string, fields: Record<string, string>): Promise<Response> =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })

/** A person consents at the code host; returns where they are sent. Without a login they refuse. */
export const authorize = async (authorizeUrl: string, login?: string): Promise<URL> => {
  const url = new URL(authorizeUrl)
  const fields = { ...Object.fromEntries(url.searchParams), ...(login === undefined ? {} : { login }) }
  const answer = await postForm(`${url.origin}${url.pathname}`, fields)
  return new URL(answer.headers.get('location') ?? `about:blank#${answer.status}`)
}

export const exchange = async (hub: Emulator, fields: Record<string, string>): Promise<Record<string, unknown>> => {
  const { clientId: client_id, clientSecret: client_secret } = hub.app
  const answer = await fetch(`${hub.webUrl}/login/oauth/access_token`, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ client_id, client_secret, ...fields }),
  })
  if (answer.status !== 200) throw new Error(`the exchange answered ${answer.status}`)
  return (await answer.json()) as Record<string, unknown>
}

/** A person's token, as an app gets it. */
export const userToken = async (hub: Emulator, login: string): Promise<string> => {
  const to = await authorize(`${hub.webUrl}/login/oauth/authorize?client_id=${hub.app.clientId}`, login)
  const { access_token } = await exchange(hub, { code: to.searchParams.get('code') ?? '' })
  return String(access_token)
}

/** Asks as the app with its client secret. */
export const asClient =
  (hub: Emulator): Ask =>
  (method, path, body) =>
    asking(hub, undefined)(method, path, body, {
      authorization: `Basic ${Buffer.from(`${hub.app.clientId}:${hub.app.clientSecret}`).toString('base64')}`,
    })

/** Posts a manifest and has the app made; returns the code with which the person is sent back. */
export const manifestCode = async (hub: Emulator, manifest: object, where = ''): Promise<string> => {
  const answer = await postForm(`${hub.webUrl}${where}/settings/apps?state=s`, {
    manifest: JSON.stringify(manifest),
    name: 'made',
  })
  return new URL(answer.headers.get('location') ?? 'about:blank').searchParams.get('code') ?? ''
}
