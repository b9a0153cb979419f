import { useState } from 'react'
import './field.css'

type WordsProps = { label: string; text: string | undefined; set: (text: string | undefined) => void }

/** A field that filters rows that are here already, with each letter. */
export const Words = ({ label, text = '', set }: WordsProps) => {
  // the address follows, too late for a field
  const [typed, setTyped] = useState({ text, of: text })
  if (typed.of !== text)
    setTyped({ text: typed.text === text || typed.of === typed.text ? text : typed.text, of: text })
  return (
    <label className="field words-field">
      <span className="unseen">{label}</span>
      <input
        type="search"
        placeholder={label}
        value={typed.text}
        onChange={({ currentTarget: { value } }) => {
          setTyped({ text: value, of: text })
          set(value === '' ? undefined : value)
        }}
      />
    </label>
  )
}
