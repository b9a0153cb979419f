import type { QueueItem } from '../api/queue.ts'
import { FactsDialog } from '../list/FactsDialog.tsx'
import { exactWords } from '../parts/time-words.ts'
import { itemName } from './queue-words.ts'

const moment = (at: string | undefined): string | undefined => at && exactWords(Date.parse(at))

/** An event or a job, with all of its error. */
export const Item = ({ of, onClose }: { of: QueueItem; onClose: () => void }) => {
  const facts = [
    ['number', String(of.id)],
    ['about', of.key],
    ['delivery', of.delivery_id],
    ['state', of.state],
    ['tries', String(of.attempt)],
    ['last error', of.last_error],
    ['tried next', moment(of.next_run_at)],
    ['queued', moment(of.created_at)],
    ['given up', moment(of.finished_at)],
  ] as const
  return <FactsDialog title={itemName(of)} onClose={onClose} facts={facts.filter(([, value]) => value !== undefined)} />
}
