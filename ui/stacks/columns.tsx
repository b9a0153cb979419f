import { Link } from '@tanstack/react-router'
import type { StackDetail } from '../api/repositories.ts'
import { Key } from '../parts/text/Key.tsx'
import { columns as ofOne } from '../repository/stacks/columns.tsx'
import { isBroken } from '../status/phases.ts'
import { Status } from '../status/Status.tsx'
import { looks } from '../status/table.ts'
import type { Column } from '../table/column.ts'

const where = ({ repo, environment }: StackDetail): string =>
  [repo, environment].filter((part) => part !== undefined).join(', ')

/** On a phone there is no column for it, and the status of a plan since then would hide it. */
const HiddenApply = ({ of: { last_apply: apply, status } }: { of: StackDetail }) => {
  if (!apply || !isBroken(apply.status) || apply.status === status) return null
  const look = looks.stack[apply.status]
  return (
    <>
      <Status look={look}>last apply {look.word}</Status>,{' '}
    </>
  )
}

const cells: Record<string, Column<StackDetail>['cell']> = {
  stack: (stack) => (
    <>
      <Link to="/stacks/$id" params={{ id: stack.id }} tabIndex={-1} className="row-name">
        <Key of={stack.key} />
      </Link>
      <span className="quiet small no-phone"> {where(stack)}</span>
      <span className="second">
        <HiddenApply of={stack} />
        {where(stack)}
      </span>
    </>
  ),
  // the one that its filter goes by: a stack whose apply failed may have been planned since
  status: ({ status }) => (status ? <Status look={looks.stack[status]} /> : <span className="quiet">no run yet</span>),
}

/** What is said of each stack, in the order of the service: by repository and key. Only some of them are here, so none is sorted. */
export const columns: Column<StackDetail>[] = ofOne.map(({ sortBy: _, ...column }) => ({
  ...column,
  head: column.id === 'status' ? 'Newest run' : column.head,
  cell: cells[column.id] ?? column.cell,
}))
