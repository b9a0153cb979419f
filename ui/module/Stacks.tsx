import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Removable } from '../list/Removable.tsx'
import { Empty } from '../parts/feedback/Empty.tsx'
import { many } from '../parts/words.ts'
import { Table } from '../table/Table.tsx'
import { columns } from './columns.tsx'
import { chosenStacks, type Ladder } from './ladder.ts'

type Chosen = { repo?: string | undefined; at?: string | undefined; sort?: string | undefined }

type StacksProps = { ladder: Ladder; search: Chosen; choose: (next: Chosen) => void }

/** The stacks that use the module, of the repository and version that are chosen. */
export const Stacks = ({ ladder, search: { repo, at, sort }, choose }: StacksProps) => {
  const navigate = useNavigate()
  const rows = useMemo(() => chosenStacks(ladder, { repo, at }), [ladder, repo, at])
  const isAll = repo === undefined && at === undefined
  const asked = { repo, version: at === 'none' ? 'not known' : at }
  return (
    <section className="box list" aria-labelledby="stacks">
      <h2 id="stacks">
        {many(rows.length, 'stack')}
        {sort === undefined && <span className="quiet">, furthest behind first</span>}
      </h2>
      {!isAll && (
        <div className="module-chosen">
          <Removable
            asked={asked}
            remove={(name) =>
              choose(
                name === undefined
                  ? { repo: undefined, at: undefined }
                  : { [name === 'version' ? 'at' : name]: undefined },
              )
            }
          />
        </div>
      )}
      {rows.length === 0 ? (
        <div className="box-rest">
          <Empty why="No stack is as these filters say." />
        </div>
      ) : (
        <Table
          label="Stacks"
          columns={columns}
          rows={rows}
          keyOf={({ stack_id: id, ref }) => `${id} ${ref}`}
          sort={sort}
          onSort={(sort) => choose({ sort })}
          open={({ stack_id: id }) => void navigate({ to: '/stacks/$id', params: { id } })}
        />
      )}
    </section>
  )
}
