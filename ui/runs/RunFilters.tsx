import type { Run, RunFilter } from '../api/runs.ts'
import { Choice } from '../list/Choice.tsx'
import { Field } from '../list/Field.tsx'
import { Chip, Chips } from '../parts/Chip.tsx'
import { runLook } from '../status/table.ts'
import '../list/list.css'

/** As somebody looks for one: what is wrong first, then what moves, then what is done. */
const statuses = [
  ...(['failed', 'unconfirmed', 'applying', 'planning', 'pending'] as const),
  ...(['planned', 'applied', 'superseded'] as const),
]

const kinds = { plan: 'plans', apply: 'applies', drift: 'drift checks' } as const

type RunFiltersProps = {
  filter: RunFilter
  set: (filter: RunFilter) => void
  /** Those that may be chosen from; undefined where the page is of one. */
  repositories?: readonly string[]
}

/** Which runs are listed, kept in the address. */
export const RunFilters = ({ filter, set, repositories }: RunFiltersProps) => {
  const { status: chosen = [], open, mode, repo, pr, actor } = filter
  const toggle = (status: Run['status']): void => {
    const next = statuses.filter((one) => (one === status ? !chosen.includes(one) : chosen.includes(one)))
    set({ status: next.length === 0 ? undefined : next, open: undefined })
  }
  const number = (text = ''): number | undefined => {
    const digits = /^#?(\d{1,9})$/.exec(text)?.[1]
    return digits === undefined ? undefined : Number(digits) || undefined
  }
  return (
    <div className="list-tools">
      <Chips label="Filter by status">
        <Chip
          isOn={chosen.length === 0 && open === undefined}
          toggle={() => set({ status: undefined, open: undefined })}
        >
          all
        </Chip>
        <Chip
          isOn={open !== undefined}
          toggle={() => set({ status: undefined, open: open === undefined ? 'true' : undefined })}
        >
          under way
        </Chip>
        {statuses.map((one) => (
          <Chip key={one} look={runLook(one)} isOn={chosen.includes(one)} toggle={() => toggle(one)}>
            {runLook(one).word}
          </Chip>
        ))}
      </Chips>
      <div className="fields">
        <Choice label="Kind" value={mode} options={kinds} set={(mode) => set({ mode })} />
        {repositories && (
          <Field
            label="Repository"
            value={repo}
            placeholder="owner/name"
            options={repositories}
            // the number of a pull request means something in its repository alone
            set={(repo) => set({ repo, pr: undefined })}
          />
        )}
        <Field
          label="Pull request"
          value={pr === undefined ? undefined : `#${pr}`}
          placeholder="#42"
          why={repositories && repo === undefined ? 'needs a repository' : undefined}
          set={(text) => set({ pr: number(text) })}
        />
        <Field label="Asked for by" value={actor} placeholder="login" set={(actor) => set({ actor })} />
      </div>
    </div>
  )
}
