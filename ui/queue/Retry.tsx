import { type QueueItem, retryItem } from '../api/queue.ts'
import { announce } from '../live/Announcements.tsx'
import { Confirm } from '../parts/overlay/Confirm.tsx'
import { itemName, retryWords } from './queue-words.ts'

type RetryProps = { item: QueueItem; readAgain: () => void; onClose: () => void }

/** Queues again what was given up, after saying what that does. */
export const Retry = ({ item, readAgain, onClose }: RetryProps) => {
  const act = async (): Promise<undefined> => {
    await retryItem(item.id)
    announce(`The ${itemName(item)} is queued again.`)
  }
  return (
    <Confirm
      title={`Retry the ${itemName(item)}`}
      about={item.last_error !== undefined && <p className="quiet">It was given up with: {item.last_error}</p>}
      {...retryWords(item)}
      action="Queue it again"
      act={act}
      readAgain={readAgain}
      onClose={onClose}
    />
  )
}
