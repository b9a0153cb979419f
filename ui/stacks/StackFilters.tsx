import type { StackFilter } from '../api/stacks.ts'
import { Field } from '../list/Field.tsx'
import { Chip, Chips } from '../parts/Chip.tsx'
import { brokenStatuses } from '../status/phases.ts'
import { looks } from '../status/table.ts'
import { flags, statusesFor, withStatus } from './filter.ts'
import '../list/list.css'

type StackFiltersProps = { filter: StackFilter; set: (filter: StackFilter) => void; repositories: readonly string[] }

const flagNames = Object.keys(flags) as (keyof typeof flags)[]

const noChip: StackFilter = {
  ...{ status: undefined, apply: undefined },
  ...{ drifted: undefined, locked: undefined, behind: undefined },
}

/** Which stacks are listed, kept in the address. */
export const StackFilters = ({ filter, set, repositories }: StackFiltersProps) => {
  const { status: chosen = [], apply, repo, q, environment, tag } = filter
  const isAll = chosen.length === 0 && apply === undefined && flagNames.every((flag) => filter[flag] === undefined)
  return (
    <div className="list-tools">
      <Chips label="Filter by how their newest run left them">
        <Chip isOn={isAll} toggle={() => set(noChip)}>
          all
        </Chip>
        {/* a plan since then would hide it */}
        <Chip
          look={looks.stack.failed}
          isOn={apply !== undefined}
          toggle={() => set({ apply: apply === undefined ? [...brokenStatuses] : undefined })}
        >
          last apply went wrong
        </Chip>
        {statusesFor(chosen).map((one) => (
          <Chip
            key={one}
            look={looks.stack[one]}
            isOn={chosen.includes(one)}
            toggle={() => set(withStatus(filter, one))}
          >
            {looks.stack[one].word}
          </Chip>
        ))}
        {flagNames.map((flag) => (
          <Chip
            key={flag}
            {...(flag === 'drifted' && { look: looks.drifted })}
            isOn={filter[flag] !== undefined}
            toggle={() => set({ [flag]: filter[flag] === undefined ? 'true' : undefined })}
          >
            {flags[flag]}
          </Chip>
        ))}
      </Chips>
      <div className="fields">
        <Field label="Stack" placeholder="Part of its key" value={q} set={(q) => set({ q })} />
        <Field
          label="Repository"
          placeholder="owner/name"
          value={repo}
          options={repositories}
          set={(repo) => set({ repo })}
        />
        <Field
          label="Environment"
          placeholder="production"
          value={environment}
          set={(environment) => set({ environment })}
        />
        <Field label="Tag" placeholder="network" value={tag} set={(tag) => set({ tag })} />
      </div>
    </div>
  )
}
