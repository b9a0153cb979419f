import { existsSync } from 'node:fs'
import type { Environment } from '../environment.ts'

export type Masks = {
  add(secrets: Iterable<string>): void
  hide(text: string): string
}

const SHOWN = '***'

/** A shorter value says next to nothing, and hiding it would leave a text that is hard to read. */
const SHORTEST = 3

/** Shorter values are hidden only as whole words: `prod` in `production` is not a secret. */
const SHORTEST_INSIDE = 6

const parsedJson = (text: string): unknown => {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Fields of a key of a Google service account that are no secret (Google Cloud, 'Service account credentials'). Half of a plan names the project. */
const PUBLIC_IN_KEY = new Set([
  ...['type', 'project_id', 'client_email', 'client_id', 'universe_domain'],
  ...['auth_uri', 'token_uri', 'auth_provider_x509_cert_url', 'client_x509_cert_url'],
])

const fieldsOf = (value: object): unknown[] =>
  'type' in value && value.type === 'service_account'
    ? Object.entries(value).flatMap(([name, field]) => (PUBLIC_IN_KEY.has(name) ? [] : [field]))
    : Object.values(value)

const stringsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? fieldsOf(value).flatMap(stringsIn) : []
}

const escaped = (text: string): string[] => {
  const quoted = JSON.stringify(text).slice(1, -1)
  return [text, quoted, quoted.replaceAll(/[$%](?=\{)/g, '$&$&')]
}

/** The ways in which a plan may write a value: as it is, quoted, in base64, a line at a time, or taken apart if it is JSON. */
const formsOf = (secret: string): string[] => {
  const lines = secret.includes('\n')
    ? secret.split(/\r?\n/).flatMap((line) => (line.trim().length < SHORTEST_INSIDE ? [] : [line.trim()]))
    : []
  const encoded = secret.length < SHORTEST_INSIDE ? [] : [Buffer.from(secret).toString('base64')]
  return [secret, ...lines, ...stringsIn(parsedJson(secret))].flatMap(escaped).concat(encoded)
}

const alone = (text: string): RegExp =>
  new RegExp(`(?<![A-Za-z0-9_])${text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&')}(?![A-Za-z0-9_])`, 'g')

/** Hides secrets in text. The longest come first: a secret that begins with another must not show its rest. */
export const createMasks = (): Masks => {
  const known = new Set<string>()
  let sorted: string[] = []
  return {
    add: (secrets) => {
      for (const secret of secrets)
        for (const form of formsOf(secret)) if (form.trim().length >= SHORTEST) known.add(form)
      sorted = [...known].sort((a, b) => b.length - a.length)
    },
    hide: (text) =>
      sorted.reduce(
        (hidden, secret) =>
          secret.length < SHORTEST_INSIDE ? hidden.replace(alone(secret), SHOWN) : hidden.replaceAll(secret, SHOWN),
        text,
      ),
  }
}

const SECRET_NAME = /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|_KEY$|CREDENTIAL/i

const passwordIn = (value: string): string[] => {
  const password = /^[a-z][\w+.-]*:\/\/[^/@\s:]*:([^/@\s]+)@/i.exec(value)?.[1]
  return password === undefined ? [] : [password, decoded(password)]
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Values of the environment that a job's log masks. A runner does not say which these are, so this is a guess: values whose names
 * say that they are secret, passwords in addresses, and the variables that SVC_MASK names. A path to a file is not a secret; nor
 * is a word as short as `true`.
 */
export const environmentSecrets = ({ all, masked }: Environment): string[] =>
  Object.entries(all).flatMap(([name, value]) => {
    if (masked.includes(name)) return [value]
    const isSecret =
      SECRET_NAME.test(name) && value.length >= SHORTEST_INSIDE && !(value.startsWith('/') && existsSync(value))
    return [...(isSecret ? [value] : []), ...passwordIn(value)]
  })
