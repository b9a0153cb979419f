import { createHmac, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { sql } from '#db/sql.ts'
import { signIn } from '#test/helpers/lists.ts'
import { jobClaims } from '#test/helpers/runner.ts'
import type { World } from '#test/helpers/world.ts'
import { addKey } from '#test/scenes/scene.ts'
import type { Dice } from './dice.ts'
import type { MadeRequest } from './requests.ts'
import { hostileText } from './texts.ts'

/** Every kind of caller, and some that are none. */
export const callerKinds = ['runner', 'person', 'key', 'codehost', 'nobody', 'stranger'] as const
export type CallerName = (typeof callerKinds)[number]

/** Headers that prove who asks. */
export type Credentials = (
  kind: CallerName,
  request: MadeRequest,
  dice: Dice,
  pullNumber?: number,
) => Promise<Record<string, string>>

export const sessionKey = 'ab'.repeat(32)

const Account = z.object({ account_id: z.number() })

/** Credentials of callers of a world whose service has the session key above; jobs are of that pull request, unless one is named. */
export const createCredentials = async (world: World, pullNumber: number): Promise<Credentials> => {
  const key = await addKey(world)
  const owners = await world.pool.anyFirst(sql.type(Account)`select account_id from installations`)
  // a new session for each request: one of the requests signs out
  const signedIn = () => signIn(world.pool, Buffer.from(sessionKey, 'hex'), [...owners])
  const tokenOf = (number: number) => world.github.mintToken(jobClaims(world, number))
  const prove: Record<
    CallerName,
    (request: MadeRequest, dice: Dice, number: number) => Promise<Record<string, string>>
  > = {
    runner: async (_request, _dice, number) => ({ authorization: `Bearer ${await tokenOf(number)}` }),
    person: async () => ({ cookie: await signedIn(), origin: 'http://svc.example.com' }),
    key: async () => ({ authorization: `Bearer ${key}` }),
    codehost: async ({ body }) => signed(world, body),
    nobody: async () => ({}),
    stranger: async (_request, dice) => stranger(dice),
  }
  return (kind, request, dice, number = pullNumber) => prove[kind](request, dice, number)
}

const signed = ({ github }: World, body: Buffer = Buffer.alloc(0)): Record<string, string> => ({
  'x-hub-signature-256': `sha256=${createHmac('sha256', github.app.webhookSecret).update(body).digest('hex')}`,
  'x-github-event': 'pull_request',
  'x-github-delivery': randomUUID(),
})

const stranger = (dice: Dice): Record<string, string> => {
  const text = hostileText(dice)
    .replaceAll(/[^\x21-\x7e]/g, '')
    .slice(0, 2000)
  return dice.one([
    { authorization: `Bearer ${text}` },
    { authorization: `Bearer sk_${text}` },
    { authorization: `Bearer ${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.` },
    { authorization: text },
    { cookie: `svc_session=${text.replaceAll(/[;,]/g, '')}` },
    { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` },
  ])
}
