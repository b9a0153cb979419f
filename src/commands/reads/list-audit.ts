import { z } from 'zod'
import { accountOf, type PersonOrKey } from '#commands/callers/caller.ts'
import { sightOf } from '#commands/callers/person.ts'
import { CursorTime, limitOf, type Page, type PageRequest, pageOf, readCursor } from '#commands/shapes/page.ts'
import { present } from '#commands/shapes/shape-run.ts'
import { type AuditFilter, type AuditView, listAudit as findEntries } from '#db/views/audit-view.ts'
import type { Deps } from '../deps.ts'

const Key = z.tuple([z.literal('audit'), CursorTime, z.int()]).transform(([, at, id]) => ({ at, id }))

/** Who did what, newest first: of what the caller may see alone (docs/interface.md, 'GET /v1/audit'). */
export const listAudit = async (
  { pool }: Pick<Deps, 'pool'>,
  caller: PersonOrKey,
  asked: PageRequest & AuditFilter,
): Promise<Page<ShapedEntry>> => {
  const limit = limitOf(asked)
  const { actor, action, target, repo, from, to } = asked
  const entries = await findEntries(pool, {
    sight: sightOf(caller),
    account: accountOf(caller),
    filter: { actor, action, target, repo, from, to },
    after: readCursor(asked.cursor, Key),
    limit: limit + 1,
  })
  return pageOf(entries, limit, { keyOf: ({ at, id }) => ['audit', at, id], shape: shapeEntry })
}

const shapeEntry = ({ at, actor, action, target, details }: AuditView) => ({
  at: new Date(at).toISOString(),
  actor,
  action,
  target,
  ...(Object.keys(details).length === 0 ? {} : { details: present(details) }),
})

type ShapedEntry = ReturnType<typeof shapeEntry>
