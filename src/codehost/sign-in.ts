/** An account of the code host by number and present name. */
export type Account = { id: number; login: string }

/** Who gave a code: read once, with a token that is ended right after. */
export type SignedIn = {
  id: number
  login: string
  avatarUrl: string
  /** The organisations that the person's own token shows; some may be missing (an SSO session, a missing permission). */
  organizations: Account[]
  /** Those of them whose owner the person is, by number. */
  ownerOf: number[]
}

/** How people prove to the code host who they are. Each method throws like those of port.ts. */
export type SignInHost = {
  /** Where a browser is sent to, to come back with a code and this state. */
  authorizeUrl(state: string): string
  /** Undefined where the code is not, or no longer, good for anything. */
  identify(code: string, cause?: string): Promise<SignedIn | undefined>
}
