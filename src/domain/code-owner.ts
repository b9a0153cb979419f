/** Who owns paths: a user, a team as `organisation/slug` in lower case, or an e-mail address that only GitHub can match. */
export type Owner =
  | { kind: 'user'; login: string }
  | { kind: 'team'; team: string }
  | { kind: 'email'; address: string }

/** Enterprise-managed users have an underscore in their logins. */
const USER = /^@[A-Za-z0-9][A-Za-z0-9_-]*$/
const TEAM = /^@([A-Za-z0-9][A-Za-z0-9-]*\/[A-Za-z0-9_.-]+)$/

const isEmail = (word: string): boolean => {
  const [user = '', domain = '', ...more] = word.split('@')
  return user !== '' && domain.includes('.') && !domain.startsWith('.') && !domain.endsWith('.') && more.length === 0
}

/** An owner as CODEOWNERS writes it; undefined for what is none. */
export const ownerOf = (word: string): Owner | undefined => {
  if (USER.test(word)) return { kind: 'user', login: word.slice(1) }
  if (TEAM.test(word)) return { kind: 'team', team: word.slice(1).toLowerCase() }
  return isEmail(word) ? { kind: 'email', address: word } : undefined
}

/** The owner as the file writes it. */
export const ownerName = (owner: Owner): string => {
  if (owner.kind === 'email') return owner.address
  return `@${owner.kind === 'user' ? owner.login : owner.team}`
}
