import { Link } from '@tanstack/react-router'
import type { Consumer } from '../api/modules.ts'
import { Key } from '../parts/text/Key.tsx'
import type { Column } from '../table/column.ts'
import '../modules/modules.css'

/** What is said of each stack that uses a module. */
export const columns: Column<Consumer>[] = [
  {
    id: 'stack',
    head: 'Stack',
    className: 'wide',
    sortBy: ({ stack_key: key }) => key,
    cell: ({ stack_id: id, stack_key: key, repo }) => (
      <>
        <Link to="/stacks/$id" params={{ id }} tabIndex={-1} className="row-name">
          <Key of={key} />
        </Link>
        <span className="second">{repo}</span>
      </>
    ),
  },
  { id: 'repo', head: 'Repository', className: 'no-phone', sortBy: ({ repo }) => repo, cell: ({ repo }) => repo },
  {
    id: 'ref',
    head: 'Asks for',
    className: 'number module-ref',
    sortBy: ({ ref }) => ref,
    cell: ({ ref }) => (ref === undefined ? <span className="quiet">what is there</span> : <code>{ref}</code>),
  },
  {
    id: 'behind',
    head: 'Behind',
    className: 'number module-far',
    sortBy: ({ behind }) => behind ?? -1,
    cell: ({ behind }) => {
      if (behind === undefined) return <span className="quiet">not known</span>
      return behind === 0 ? <span className="quiet">newest</span> : <strong className="behind">{behind} behind</strong>
    },
  },
]
