import { z } from 'zod'
import { type AuditView, listAudit as findEntries } from '#db/views/audit-view.ts'
import type { PersonOrKey } from './caller.ts'
import type { Deps } from './deps.ts'
import { CursorTime, limitOf, type Page, type PageRequest, pageOf, readCursor } from './page.ts'
import { sightOf } from './people/person.ts'
import { present } from './shapes.ts'

const Key = z.tuple([z.literal('audit'), CursorTime, z.int()]).transform(([, at, id]) => ({ at, id }))

/** Who did what, newest first; what a person may not see is taken out of the page (spec, 'Lists'). */
export const listAudit = async (
  { pool }: Pick<Deps, 'pool'>,
  caller: PersonOrKey,
  asked: PageRequest,
): Promise<Page<ShapedEntry>> => {
  const limit = limitOf(asked)
  const entries = await findEntries(pool, {
    sight: sightOf(caller),
    login: caller.kind === 'person' ? caller.login : undefined,
    after: readCursor(asked.cursor, Key),
    limit: limit + 1,
  })
  const page = pageOf(entries, limit, { keyOf: ({ at, id }) => ['audit', at, id], shape: (entry) => entry })
  return { ...page, items: page.items.filter(({ visible }) => visible).map(shapeEntry) }
}

const shapeEntry = ({ at, actor, action, target, details }: AuditView) => ({
  at: new Date(at).toISOString(),
  actor,
  action,
  target,
  ...(Object.keys(details).length === 0 ? {} : { details: present(details) }),
})

type ShapedEntry = ReturnType<typeof shapeEntry>
