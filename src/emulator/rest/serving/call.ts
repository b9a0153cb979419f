import type { Account, Installation, InstallationToken, Repository } from '#emulator/records.ts'
import type { World } from '#emulator/world.ts'

/** A request as routes see it. */
export type Call = {
  world: World
  method: string
  /** Of the path, percent-decoded. */
  params: Record<string, string>
  query: Record<string, string>
  /** Undefined: no body was sent. */
  body: Record<string, unknown> | undefined
  headers: Record<string, string | string[] | undefined>
  /** Absolute, with query: the base of a Link header. */
  url: string
  /** Written by authentication; read by the request log and the rate limit headers. */
  caller: { installationId?: number }
}

export type InstallationCall = Call & { installation: Installation; token: InstallationToken }
export type RepositoryCall = InstallationCall & { repository: Repository }
export type OrganizationCall = InstallationCall & { organization: Account }

/** Status 200 by default; a Buffer body is sent as it is. */
export type Answer = { status?: number; body?: unknown; headers?: Record<string, string> }
