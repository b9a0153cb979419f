/** An account of the code host: its number and current login. */
export type Account = { id: number; login: string }

/** The person who gave a code: read once, with a token that is ended right after. */
export type SignedIn = {
  id: number
  login: string
  avatarUrl: string
  /** The organisations that the person's own token shows; some may be missing (an SSO session, a missing permission). */
  organizations: Account[]
  /** Those that the person owns, by number. */
  ownerOf: number[]
}

/** How people prove to the code host who they are. Each method throws like those of port.ts. */
export type SignInHost = {
  /** Where to send a browser, which comes back with a code and this state. */
  authorizeUrl(state: string): string
  /** Undefined if the code is not, or no longer, valid. */
  identify(code: string, cause?: string): Promise<SignedIn | undefined>
}
