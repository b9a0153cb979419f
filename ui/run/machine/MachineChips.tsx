import { Link } from '@tanstack/react-router'
import { StatusIconOf } from '../../status/Status.tsx'
import type { MachineChip } from './machines.ts'

type ChipsProps = { chips: readonly MachineChip[]; chosen: string; onChoose?: () => void }

/** Machines to choose from, each a link to its place in the inspector. */
export const MachineChips = ({ chips, chosen, onChoose }: ChipsProps) =>
  chips.map(({ kind, of, name, look }) => (
    <li key={`${kind} ${of}`}>
      <Link
        from="/runs/$id/machine"
        search={(search) => ({
          ...search,
          kind: kind === 'run' ? undefined : kind,
          of: kind === 'run' ? undefined : of,
          seq: undefined,
        })}
        resetScroll={false}
        // their addresses differ in the search alone: without it each would count as the present page
        activeOptions={{ exact: true, includeSearch: true }}
        aria-current={of === chosen ? 'true' : undefined}
        onClick={onChoose}
      >
        <StatusIconOf look={look} />
        {name}
      </Link>
    </li>
  ))
