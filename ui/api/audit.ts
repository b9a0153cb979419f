import type { AuditEntry } from '#api/audit.ts'
import { getJson, withQuery } from './client.ts'
import type { Page, Part } from './page.ts'

export type { AuditEntry }

/** Which entries, in the words of the API; times are RFC 3339. */
export type AuditFilter = Partial<Record<'actor' | 'action' | 'target' | 'repo' | 'from' | 'to', string | undefined>>

/** Who did what, newest first. Pages may hold few entries, or none, and go on all the same. */
export const readAudit = (filter: AuditFilter, part: Part, signal?: AbortSignal): Promise<Page<AuditEntry>> =>
  getJson(withQuery('/v1/audit', { ...filter, ...part }), signal)
