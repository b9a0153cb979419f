import { createHmac } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sameSecret } from './same-secret.ts'

export type CookieName = 'svc_session' | 'svc_sign_in' | 'svc_setup'

/** Where cookies live: below the base URL, and encrypted on their way where that is. */
export type CookiePlace = { baseUrl: string }

export const readCookie = (request: FastifyRequest, name: CookieName): string | undefined =>
  parseCookie(request.headers.cookie ?? '')[name] || undefined

/** `below` is a path of ours that the cookie is for; all of them without. No script can read it, and no other site sends it along. */
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
 * A value for a cookie that comes back as it was, in time, or not at all. The signature covers the cookie's name and the
 * time too: cookie-signature, which most use, covers the value alone.
 */
export const sealed = (key: Buffer, name: CookieName, value: object, expiresAt: Date): string => {
  const text = Buffer.from(JSON.stringify({ value, until: expiresAt.getTime() })).toString('base64url')
  return `${text}.${signature(key, name, text)}`
}

/** What was sealed; undefined where it was tampered with, is of another key or name, or is over. */
export const unsealed = (key: Buffer, name: CookieName, cookieValue: string | undefined, now: Date): unknown => {
  const [text = '', given = '', ...more] = (cookieValue ?? '').split('.')
  if (more.length > 0 || !sameSecret(given, signature(key, name, text))) return undefined
  const { value, until } = JSON.parse(Buffer.from(text, 'base64url').toString()) as { value: unknown; until: number }
  return now.getTime() < until ? value : undefined
}

const signature = (key: Buffer, name: CookieName, text: string): string =>
  createHmac('sha256', key).update(`cookie\0${name}\0${text}`).digest('base64url')
