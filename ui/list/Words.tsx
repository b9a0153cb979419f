import { useTyped } from '../parts/useTyped.ts'
import './field.css'

type WordsProps = { label: string; text: string | undefined; set: (text: string | undefined) => void }

/** A field that filters rows that are here already, with each letter. */
export const Words = ({ label, text, set }: WordsProps) => {
  const [typed, type] = useTyped(text, set)
  return (
    <label className="field words-field">
      <span className="unseen">{label}</span>
      <input type="search" placeholder={label} value={typed} onChange={({ currentTarget: { value } }) => type(value)} />
    </label>
  )
}
