import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { type AuditEntry, readAudit } from '../api/audit.ts'
import { readRepositories } from '../api/repositories.ts'
import { ListBody } from '../list/ListBody.tsx'
import { ListHead } from '../list/ListHead.tsx'
import { useLiveList } from '../live/useLiveList.ts'
import { Empty } from '../parts/feedback/Empty.tsx'
import { useTitle } from '../shell/useTitle.ts'
import { Table } from '../table/Table.tsx'
import { AuditFilters, type AuditSearch } from './AuditFilters.tsx'
import { startOf } from './audit-words.ts'
import { columns } from './columns.tsx'
import { Entry } from './Entry.tsx'
import './audit.css'

const route = getRouteApi('/audit')

/** An entry has no name of its own. */
const idOf = ({ at, actor, action, target, details }: AuditEntry): string =>
  JSON.stringify([at, actor, action, target, details])

/** Who did what, newest first, by what is asked for. */
export const AuditPage = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [opened, setOpened] = useState<AuditEntry>()
  useTitle('Audit')
  const filter = useMemo(() => ({ ...search, from: startOf(search.from), to: startOf(search.to, 1) }), [search])
  const repositories = useQuery({ queryKey: ['repositories'], queryFn: ({ signal }) => readRepositories(signal) })
  const list = useLiveList({
    key: ['audit', JSON.stringify(filter)],
    read: (part, signal) => readAudit(filter, part, signal),
    idOf,
  })
  const set = (next: AuditSearch): void =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false })
  return (
    <>
      <ListHead title="Audit" liveness={list.liveness} size="Who did what, newest first, in all that you may see." />
      <AuditFilters
        search={search}
        set={set}
        repositories={repositories.data?.items.map(({ full_name: name }) => name) ?? []}
      />
      <ListBody
        list={list}
        what="the entries"
        asked={search}
        remove={(name) =>
          name === undefined
            ? void navigate({ search: {}, replace: true, resetScroll: false })
            : set({ [name]: undefined })
        }
        empty={<Empty why="Nobody has done anything yet that is recorded: commands, released locks and retries are." />}
      >
        {(rows) => (
          <div className="audit">
            <Table label="Audit log" columns={columns} rows={rows} keyOf={idOf} open={setOpened} />
          </div>
        )}
      </ListBody>
      {opened && <Entry of={opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}
