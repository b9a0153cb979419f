import type { Lsn } from '#db/replica/lsn.ts'
import type { Repository } from '#db/repositories/repositories.ts'
import type { RunnerClaims } from '#domain/runner-claims.ts'
import type { Person } from './person.ts'

/** A job of a CI workflow with its own token, or automation with an API key. */
export type Caller =
  | { kind: 'runner'; claims: RunnerClaims; repository: Repository }
  | { kind: 'key'; name: string; wroteAt?: Lsn | undefined }

/** Everyone who may be let in: the two that report, and people. */
export type AnyCaller = Caller | Person

/** A caller who may look at records and ask for something to be done about them. */
export type PersonOrKey = Exclude<AnyCaller, { kind: 'runner' }>

export type RunnerCaller = Extract<Caller, { kind: 'runner' }>

/** The account behind a person's acts, for the audit log. */
export const accountOf = (caller: AnyCaller): number | undefined => (caller.kind === 'person' ? caller.id : undefined)

/** The caller's name in journal and audit. */
export const actorOf = (caller: AnyCaller): string => {
  if (caller.kind === 'person') return caller.login
  return caller.kind === 'key' ? `apikey:${caller.name}` : `runner:${caller.claims.repository}`
}

/** Who takes turns with others for what all share: an organisation with its repositories, a person, or a key. */
export const ownerOf = (caller: AnyCaller): number | string =>
  caller.kind === 'runner' ? caller.repository.installation_id : actorOf(caller)
