import { createPublicKey, generateKeyPair, type KeyObject, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import type { AccessLevel, Account } from './records.ts'

/** A GitHub App's credentials as GitHub gave them to its owner. */
export type AppCredentials = {
  id: number
  slug: string
  clientId: string
  clientSecret: string
  webhookSecret: string
  /** PEM. GitHub hands out PKCS #1. */
  privateKey: string
}

export type App = AppCredentials & {
  publicKey: KeyObject
  owner: Account
  permissions: Record<string, AccessLevel>
  events: string[]
  createdAt: Date
}

/** The permissions and events of an app that plans and applies. */
const permissions: Record<string, AccessLevel> = {
  metadata: 'read',
  contents: 'read',
  actions: 'write',
  checks: 'write',
  issues: 'write',
  pull_requests: 'write',
  members: 'read',
}

const events = [
  'check_run',
  'check_suite',
  'create',
  'delete',
  'issue_comment',
  'merge_group',
  'pull_request',
  'pull_request_review',
  'push',
  'release',
  'repository',
  'workflow_run',
  'workflow_job',
]

/** The emulated app; missing credentials are made up. */
export const createApp = async (given: Partial<AppCredentials>, owner: Account, now: Date): Promise<App> => {
  const privateKey = given.privateKey ?? (await generatePrivateKey())
  return {
    id: given.id ?? 4_711,
    slug: given.slug ?? 'svc',
    clientId: given.clientId ?? `Iv23li${randomBytes(7).toString('hex')}`,
    clientSecret: given.clientSecret ?? randomBytes(20).toString('hex'),
    webhookSecret: given.webhookSecret ?? randomBytes(20).toString('hex'),
    privateKey,
    publicKey: createPublicKey(privateKey),
    owner,
    permissions: { ...permissions },
    events: [...events],
    createdAt: now,
  }
}

const generatePrivateKey = async (): Promise<string> => {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  return privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
}
