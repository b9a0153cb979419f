import { useKeys } from '../../keys/registry.ts'
import { copyLink } from '../../live/copy-link.ts'
import { useActs } from '../acts/useActs.ts'
import { isFiltered } from '../filter/filter.ts'
import { useFilter } from '../filter/useFilter.ts'
import { useSelect } from '../useSelect.ts'
import type { Direction } from './moves.ts'

type BoardKeys = {
  move(direction: Direction): void
  selected: string | undefined
  /** The stack that the keyboard is on. */
  current: string | undefined
  focus(key: string): void
}

/** The shortcuts of the board. */
export const useBoardKeys = ({ move, selected, current, focus }: BoardKeys): void => {
  const { filter, set, clear } = useFilter()
  const { release } = useActs()
  const select = useSelect()
  const close = (): void => {
    if (selected !== undefined) {
      select(undefined)
      focus(selected)
    } else if (isFiltered(filter)) clear()
    else history.back()
  }
  const isTroubleOnly = filter.status?.join() === 'failed,unknown'
  useKeys([
    { keys: 'j', does: 'Next stack', act: () => move('next') },
    { keys: 'k', does: 'Previous stack', act: () => move('previous') },
    { keys: 'l', does: 'Wave or lane to the right', act: () => move('right') },
    { keys: 'h', does: 'Wave or lane to the left', act: () => move('left') },
    { keys: 'Enter', does: 'Open the stack', act: () => current !== undefined && select(current) },
    { keys: 'Escape', does: 'Close, clear, back', act: close },
    {
      keys: 'f',
      does: 'Failed and unknown stacks only',
      act: () => set({ status: isTroubleOnly ? undefined : ['failed', 'unknown'] }),
    },
    {
      keys: 'u',
      does: 'Release the lock of the stack…',
      act: () => {
        const key = selected ?? current
        if (key !== undefined) release(key)
      },
    },
    { keys: 'y', does: 'Copy the link to this view', act: () => void copyLink() },
  ])
}
