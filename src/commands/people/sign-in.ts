import { randomBytes } from 'node:crypto'
import type { CodeHost } from '#codehost/port.ts'
import type { Account, SignedIn, SignInHost } from '#codehost/sign-in.ts'
import { addSession, removeSession } from '#db/people/sessions.ts'
import { type OpenAccount, openAccounts } from '#db/repositories/installations.ts'
import { transact } from '#db/transact.ts'
import { limits } from '#domain/limits.ts'
import { invalid } from '#errors.ts'
import type { Deps } from '../deps.ts'
import { sessionHash } from './session-hash.ts'

export type SignInDeps = Pick<Deps, 'pool' | 'codehost' | 'clock' | 'log'> & {
  signIn: SignInHost
  sessionKey: Buffer
}

/**
 * Opens a session for the person who came back from the code host with this code, and ends the one that the browser had
 * (docs/interface.md, 'Sign-in'). Returns the token for its cookie; undefined if the app is on no account of theirs.
 */
export const signIn = async (
  deps: SignInDeps,
  came: { code: string; formerToken: string | undefined; cause: string },
): Promise<string | undefined> => {
  const person = await deps.signIn.identify(came.code, came.cause)
  if (!person) throw invalid('code', 'is not valid for a sign-in, or no longer valid: sign in again')
  const accounts = await openAccounts(deps.pool)
  const organizations = await organizationsOf(deps, person, accounts, came.cause)
  const own = new Set([person.id, ...organizations.map(({ id }) => id)])
  if (!accounts.some((account) => own.has(account.account_id))) {
    deps.log.info({ login: person.login }, 'sign-in refused: the app is on no account of this person')
    return undefined
  }
  const token = randomBytes(32).toString('base64url')
  const now = deps.clock.now()
  await transact(deps.pool, async (tx) => {
    if (came.formerToken !== undefined) await removeSession(tx, sessionHash(deps.sessionKey, came.formerToken))
    await addSession(tx, {
      token_hash: sessionHash(deps.sessionKey, token),
      user_id: person.id,
      login: person.login,
      avatar_url: person.avatarUrl,
      orgs: organizations.map(({ login }) => login).sort(),
      account_ids: [...own],
      owned_ids: [person.id, ...person.ownerOf],
      created_at: now,
      expires_at: new Date(now.getTime() + limits.sessionSeconds * 1000),
    })
  })
  deps.log.info({ login: person.login, organizations: organizations.length }, 'signed in')
  return token
}

/** Questions to the code host under way at once. */
const atATime = 8

/**
 * The organisations that the person's token showed, and those with the app that name the person as a member. An organisation
 * that cannot be asked now is left out: it comes with the next sign-in.
 */
const organizationsOf = async (
  deps: SignInDeps,
  person: SignedIn,
  accounts: readonly OpenAccount[],
  cause: string,
): Promise<Account[]> => {
  const shown = new Set(person.organizations.map(({ id }) => id))
  const others = accounts.filter((one) => one.account_type === 'Organization' && !shown.has(one.account_id))
  const codehost = deps.codehost.causedBy(cause)
  const found: Account[] = [...person.organizations]
  const askNext = async (): Promise<void> => {
    for (let next = others.shift(); next; next = others.shift()) {
      if (await isMember(deps, codehost, next, person.login)) {
        found.push({ id: next.account_id, login: next.account_login })
      }
    }
  }
  await Promise.all(Array.from({ length: atATime }, askNext))
  return found
}

const isMember = async (
  { log }: Pick<SignInDeps, 'log'>,
  codehost: CodeHost,
  { installation_id, account_login }: OpenAccount,
  login: string,
): Promise<boolean> => {
  try {
    return await codehost.isOrganizationMember(installation_id, account_login, login)
  } catch (error) {
    log.warn({ err: error, account: account_login }, 'members of an organisation cannot be read at a sign-in')
    return false
  }
}
