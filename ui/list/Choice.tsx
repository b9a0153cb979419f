import './field.css'

type ChoiceProps<T extends string> = {
  label: string
  value: T | undefined
  /** What each is called. */
  options: Readonly<Record<T, string>>
  set: (value: T | undefined) => void
}

/** A filter that is one of a few, or none. */
export const Choice = <T extends string>({ label, value, options, set }: ChoiceProps<T>) => (
  <label className="field">
    <span className="field-name">{label}</span>
    <select
      value={value ?? ''}
      onChange={({ currentTarget }) => set(currentTarget.value === '' ? undefined : (currentTarget.value as T))}
    >
      <option value="">any</option>
      {Object.entries<string>(options).map(([option, name]) => (
        <option key={option} value={option}>
          {name}
        </option>
      ))}
    </select>
  </label>
)
