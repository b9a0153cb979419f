import type { QueueItem } from '../api/queue.ts'

/** `pull request delivery`, `publish run job`. */
export const itemName = ({ queue, kind }: Pick<QueueItem, 'queue' | 'kind'>): string =>
  `${kind.replaceAll('_', ' ')} ${queue === 'events' ? 'delivery' : 'job'}`

/** What queueing it again does, and what it does not. */
export const retryWords = (item: QueueItem): { happens: string[]; staysAsItIs: string[] } => ({
  happens: [
    `The ${itemName(item)}${item.key === undefined ? '' : ` of ${item.key}`} is queued again, and tried at once.`,
    'If it fails as before, it is tried with growing pauses and given up again.',
    'That you did it is kept in the audit log.',
  ],
  staysAsItIs: [
    'What its earlier tries did is not undone; doing it twice does no harm.',
    'Other deliveries and jobs stay as they are.',
  ],
})
