import type { QueueItem } from '../api/queue.ts'
import { Time } from '../parts/text/Time.tsx'
import type { Column } from '../table/column.ts'
import { itemName } from './queue-words.ts'

/** When it was given up, is tried next, or began to wait. */
const When = ({ of: { finished_at: given, next_run_at: next, created_at: created } }: { of: QueueItem }) => (
  <Time at={given ?? next ?? created} focusable={false} />
)

const whenHeads = { dead: 'Given up', queued: 'Tried next', running: 'Queued' }

type Options = { state: keyof typeof whenHeads; retry: (item: QueueItem) => void }

/** What is said of each event and job. Only what was given up can be queued again. */
export const columnsOf = ({ state, retry }: Options): Column<QueueItem>[] => [
  {
    id: 'what',
    head: 'What',
    className: 'queue-what',
    cell: (item) => (
      <>
        <strong>{itemName(item)}</strong>
        <span className="second">
          {item.attempt} {item.attempt === 1 ? 'try' : 'tries'}, <When of={item} />
          {item.last_error !== undefined && `: ${item.last_error}`}
        </span>
      </>
    ),
  },
  { id: 'about', head: 'About', className: 'queue-about no-phone', cell: ({ key, delivery_id: id }) => key ?? id },
  { id: 'tries', head: 'Tries', className: 'queue-tries number no-phone', cell: ({ attempt }) => attempt },
  {
    id: 'error',
    head: 'Last error',
    className: 'no-phone',
    cell: ({ last_error: error }) => error ?? <span className="quiet">none</span>,
  },
  { id: 'when', head: whenHeads[state], className: 'queue-when number no-phone', cell: (item) => <When of={item} /> },
  ...(state === 'dead'
    ? [
        {
          id: 'retry',
          head: 'Retry',
          className: 'queue-retry number',
          cell: (item: QueueItem) => (
            <button type="button" tabIndex={-1} className="button button-small" onClick={() => retry(item)}>
              Retry…<span className="unseen"> {itemName(item)}</span>
            </button>
          ),
        },
      ]
    : []),
]
