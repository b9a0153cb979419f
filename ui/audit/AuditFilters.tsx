import { Choice } from '../list/Choice.tsx'
import { Field } from '../list/Field.tsx'
import { actionWords } from './audit-words.ts'
import '../list/list.css'

/** As it is in the address: days, not moments. */
export type AuditSearch = Partial<Record<'actor' | 'action' | 'target' | 'repo' | 'from' | 'to', string | undefined>>

type AuditFiltersProps = { search: AuditSearch; set: (search: AuditSearch) => void; repositories: readonly string[] }

/** Which entries are listed, kept in the address. */
export const AuditFilters = ({ search, set, repositories }: AuditFiltersProps) => {
  const { actor, action, target, repo, from, to } = search
  // an action of a later version is one too
  const actions = action === undefined || action in actionWords ? actionWords : { ...actionWords, [action]: action }
  return (
    <div className="list-tools fields">
      <Field label="Who" value={actor} placeholder="login" set={(actor) => set({ actor })} />
      <Choice label="Did what" value={action} options={actions} set={(action) => set({ action })} />
      <Field
        label="Repository"
        value={repo}
        placeholder="owner/name"
        options={repositories}
        set={(repo) => set({ repo })}
      />
      <Field label="Stack or target" value={target} placeholder="owner/name//key" set={(target) => set({ target })} />
      <Field label="From" type="date" value={from} set={(from) => set({ from })} />
      <Field label="To, with that day" type="date" value={to} set={(to) => set({ to })} />
    </div>
  )
}
