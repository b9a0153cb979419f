import { randomBytes } from 'node:crypto'
import type { AppCredentials } from '#emulator/app.ts'
import type { AccessLevel, Account } from '#emulator/records.ts'

/** The fields of a form, or of a JSON object of texts. */
export type Fields = Record<string, string | undefined>

/** A person's consent: exchanged once, within ten minutes, with the app's secret. */
export type Grant = { account: Account; redirectUri: string | undefined; expiresAt: Date }

export type UserToken = { account: Account; expiresAt: Date }

/** An app made from a manifest, until its credentials are fetched: once, within an hour. */
export type MadeApp = {
  credentials: AppCredentials
  owner: Account
  permissions: Record<string, AccessLevel>
  events: string[]
  webhookUrl: string
  callbackUrls: string[]
  expiresAt: Date
}

/** The emulator's memory of people signing in to apps, and of apps being made. */
export type SignIns = {
  /** Addresses that people may be sent back to; undefined: any, because none was registered. */
  callbackUrls: string[] | undefined
  grants: Map<string, Grant>
  tokens: Map<string, UserToken>
  /** Organisations that a person's own token does not show, as without a SAML session: `login org`, in lower case. */
  concealed: Set<string>
  made: Map<string, MadeApp>
}

export const createSignIns = (callbackUrls: string[] | undefined): SignIns => ({
  callbackUrls,
  grants: new Map(),
  tokens: new Map(),
  concealed: new Set(),
  made: new Map(),
})

/** A secret that looks like GitHub's: a prefix for its kind, and random characters. */
export const secretOf = (prefix: string, bytes = 27): string =>
  `${prefix}${randomBytes(bytes)
    .toString('base64url')
    .replace(/[^A-Za-z0-9]/g, '0')}`

export const minutesFrom = (now: Date, minutes: number): Date => new Date(now.getTime() + minutes * 60_000)
