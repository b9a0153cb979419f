import { createHmac } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sameSecret } from './same-secret.ts'

export type CookieName = 'svc_session' | 'svc_sign_in' | 'svc_setup'

/** Where cookies are valid: below the base URL, and only over https if it uses that. */
export type CookiePlace = { baseUrl: string }

export const readCookie = (request: FastifyRequest, name: CookieName): string | undefined =>
  parseCookie(request.headers.cookie ?? '')[name] || undefined

/**
 * `below` is the path of ours that the cookie is for; without it, all of them. No script can read it, and requests made by
 * other sites do not carry it.
 */
export const setCookie = (
  reply: FastifyReply,
  { baseUrl }: CookiePlace,
  { name, value, seconds, below = '' }: { name: CookieName; value: string; seconds: number; below?: string },
): FastifyReply => {
  const url = new URL(baseUrl)
  const path = `${url.pathname.replace(/\/$/, '')}${below}` || '/'
  const secure = url.protocol === 'https:'
  const options = { path, maxAge: seconds, httpOnly: true, sameSite: 'lax', secure } as const
  return reply.header('set-cookie', stringifySetCookie({ name, value, ...options }))
}

export const clearCookie = (reply: FastifyReply, place: CookiePlace, name: CookieName, below = ''): FastifyReply =>
  setCookie(reply, place, { name, value: '', seconds: 0, below })

/**
 * A cookie value that comes back unchanged and in time, or not at all. The signature covers the cookie's name and the time
 * too: the usual cookie-signature covers only the value.
 */
export const sealed = (key: Buffer, name: CookieName, value: object, expiresAt: Date): string => {
  const text = Buffer.from(JSON.stringify({ value, until: expiresAt.getTime() })).toString('base64url')
  return `${text}.${signature(key, name, text)}`
}

/** The sealed value; undefined if it was changed, has another key or name, or has expired. */
export const unsealed = (key: Buffer, name: CookieName, cookieValue: string | undefined, now: Date): unknown => {
  const [text = '', given = '', ...more] = (cookieValue ?? '').split('.')
  if (more.length > 0 || !sameSecret(given, signature(key, name, text))) return undefined
  const { value, until } = JSON.parse(Buffer.from(text, 'base64url').toString()) as { value: unknown; until: number }
  return now.getTime() < until ? value : undefined
}

const signature = (key: Buffer, name: CookieName, text: string): string =>
  createHmac('sha256', key).update(`cookie\0${name}\0${text}`).digest('base64url')
