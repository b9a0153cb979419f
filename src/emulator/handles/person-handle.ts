import { accountBody } from '#emulator/bodies/account.ts'
import { accountOf } from '#emulator/store.ts'
import type { World } from '#emulator/world.ts'

/** A person, and what they do with their account. */
export type PersonHandle = {
  id: number
  login: string
  /** From now on this person's own token does not show the organisation, as without a SAML session for it. */
  conceal(organization: string): void
  /** Withdraws the app's right to act for this person: their tokens end, and the app is notified. */
  revokeAuthorization(): void
}

export const personHandle = (world: World, login: string): PersonHandle => {
  const account = accountOf(world.store, login, 'User', world.clock())
  return {
    id: account.id,
    login: account.login,
    conceal: (organization) => {
      world.signIns.concealed.add(`${account.login} ${organization}`.toLowerCase())
    },
    revokeAuthorization: () => {
      const { tokens } = world.signIns
      for (const [value, token] of tokens) if (token.account === account) tokens.delete(value)
      world.webhooks.emit('github_app_authorization', { action: 'revoked', sender: accountBody(world, account) }, {})
    },
  }
}
