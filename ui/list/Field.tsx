import { type KeyboardEvent, useEffect, useId, useRef } from 'react'
import './field.css'

type FieldProps = {
  label: string
  value: string | undefined
  placeholder?: string
  /** Called with what was typed at Enter and when the focus leaves; with undefined when it is empty. */
  set: (value: string | undefined) => void
  /** What may be meant. */
  options?: readonly string[]
  /** Why it cannot be used now. */
  why?: string | undefined
  type?: 'search' | 'date'
}

/** A filter that is typed. It counts once it is whole, since most of them are looked up and not searched for. */
export const Field = ({ label, value = '', placeholder, set, options, why, type = 'search' }: FieldProps) => {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const isTyping = useRef(false)
  // another address shows another value; it may come when somebody types on after Enter, who would lose what they typed
  useEffect(() => {
    if (input.current && !isTyping.current) input.current.value = value
  }, [value])
  const commit = (typed: string): void => {
    isTyping.current = false
    const text = typed.trim()
    if (text !== value) set(text === '' ? undefined : text)
  }
  const enter = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Enter') commit(event.currentTarget.value)
  }
  return (
    <label className="field">
      <span className="field-name">{label}</span>
      <input
        ref={input}
        type={type}
        defaultValue={value}
        placeholder={why ?? placeholder}
        disabled={why !== undefined}
        list={options === undefined ? undefined : id}
        onKeyDown={enter}
        onBlur={(event) => commit(event.currentTarget.value)}
        onChange={({ currentTarget: { value } }) => {
          isTyping.current = true
          if (isWhole(value, type)) commit(value)
        }}
      />
      {options !== undefined && (
        <datalist id={id}>
          {options.map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      )}
    </label>
  )
}

/** A field that was emptied, and a day that was picked; a year that is being typed begins with noughts. */
const isWhole = (value: string, type: 'search' | 'date'): boolean =>
  value === '' ? type === 'search' : type === 'date' && value >= '2000'
