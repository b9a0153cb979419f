import { useMemo } from 'react'
import { Table } from '../table/Table.tsx'
import { columns, type GraphRow } from './columns.tsx'
import type { Neighbours } from './ends.ts'
import type { Scene } from './scene.ts'

type GraphTableProps = {
  scene: Scene
  neighbours: Neighbours
  select: (stack: number) => void
  sort: string | undefined
  onSort: (sort: string | undefined) => void
}

/** The same as a table: the stacks that the filters leave, wave by wave. */
export const GraphTable = ({ scene, neighbours, select, sort, onSort }: GraphTableProps) => {
  const rows = useMemo(() => rowsOf(scene, neighbours), [scene, neighbours])
  if (rows.length === 0) return null
  return (
    <div className="box list">
      <Table
        label="Stacks of the graph"
        columns={columns}
        rows={rows}
        keyOf={({ stack }) => String(stack)}
        sort={sort}
        onSort={onSort}
        open={({ stack }) => select(stack)}
        isSelected={({ stack }) => stack === scene.selected}
      />
    </div>
  )
}

const rowsOf = ({ graph, layers, standings, isShown }: Scene, { needs, neededBy }: Neighbours): GraphRow[] =>
  layers.lanes.flatMap(({ rows, wave }) =>
    [...rows]
      .filter((stack) => stack >= 0 && isShown[stack] === 1)
      .map((stack) => ({
        ...{ stack, wave, key: graph.keys[stack] ?? '', standing: standings[stack] ?? 'new' },
        needs: needs.of(stack).filter(([other]) => other < graph.stacks).length,
        neededBy: neededBy.count(stack),
      })),
  )
