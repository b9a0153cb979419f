import { useState } from 'react'
import { Dialog } from '../../parts/overlay/Dialog.tsx'
import { many } from '../../parts/words.ts'
import { MachineChips } from './MachineChips.tsx'
import type { MachineChip } from './machines.ts'

type FindMachineProps = { chips: readonly MachineChip[]; chosen: string; onClose: () => void }

/** As many as are looked through at a glance; a run of 2,000 stacks has 4,000 machines. */
const shown = 60

/** Finds the machine of a stack, or of its lock, by words of its key. */
export const FindMachine = ({ chips, chosen, onClose }: FindMachineProps) => {
  const [words, setWords] = useState('')
  const found = chips.filter(({ name }) => words.split(/\s+/).every((word) => name.includes(word)))
  return (
    <Dialog title="Machines of stacks and locks" onClose={onClose}>
      <input
        className="field-text"
        type="search"
        aria-label="Find by key"
        placeholder="Find by key"
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      <p className="quiet small">
        {found.length === 0 ? 'None has these words in its key.' : many(found.length, 'machine')}
        {found.length > shown && `, the first ${shown} of them:`}
      </p>
      <ul className="machine-tab">
        <MachineChips chips={found.slice(0, shown)} chosen={chosen} onChoose={onClose} />
      </ul>
    </Dialog>
  )
}
