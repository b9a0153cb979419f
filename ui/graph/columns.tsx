import { Key } from '../parts/text/Key.tsx'
import { gravity, type Standing, standingLook, standingWord } from '../repository/stacks/standing.ts'
import { Status } from '../status/Status.tsx'
import type { Column } from '../table/column.ts'

/** A stack of the graph, for its table. */
export type GraphRow = { stack: number; key: string; wave: number; standing: Standing; needs: number; neededBy: number }

const Count = ({ of }: { of: number }) => <span className={of === 0 ? 'quiet' : undefined}>{of}</span>

/** What is said of each stack in the graph's table. */
export const columns: Column<GraphRow>[] = [
  {
    id: 'stack',
    head: 'Stack',
    className: 'wide',
    sortBy: ({ key }) => key,
    cell: ({ key, wave, needs, neededBy }) => (
      <>
        <strong>
          <Key of={key} />
        </strong>
        <span className="second">
          wave {wave + 1}, needs {needs}, {neededBy} need it
        </span>
      </>
    ),
  },
  { id: 'wave', head: 'Wave', className: 'number no-phone', sortBy: ({ wave }) => wave, cell: ({ wave }) => wave + 1 },
  {
    id: 'status',
    head: 'Status',
    sortBy: ({ standing }) => gravity(standing),
    cell: ({ standing }) => {
      const look = standingLook(standing)
      return look ? <Status look={look} /> : <span className="quiet">{standingWord(standing)}</span>
    },
  },
  {
    id: 'needs',
    head: 'Needs',
    className: 'number no-phone',
    sortBy: ({ needs }) => needs,
    cell: ({ needs }) => <Count of={needs} />,
  },
  {
    id: 'needed',
    head: 'Needed by',
    className: 'number no-phone',
    sortBy: ({ neededBy }) => neededBy,
    cell: ({ neededBy }) => <Count of={neededBy} />,
  },
]
