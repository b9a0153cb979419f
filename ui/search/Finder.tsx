import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { Icon } from '../parts/Icon.tsx'
import type { Early } from './EarlyTyping.tsx'
import { Hits } from './Hits.tsx'
import { useFound } from './useFound.ts'
import './finder.css'

type FinderProps = {
  text: string
  setText: (text: string) => void
  /** Where it came from is left: a dialog closes. */
  onOpened?: () => void
  autoFocus?: boolean
  early?: Early
}

/**
 * A field with what was found below it. The focus stays in the field: arrows choose, Enter opens what is chosen, or the first once it is
 * there.
 */
export const Finder = ({ text, setText, onOpened, autoFocus = false, early }: FinderProps) => {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [at, setAt] = useState(0)
  const isOpening = useRef(false)
  const found = useFound(text)
  const { groups = [], isCurrent } = found
  const count = groups.reduce((sum, { hits }) => sum + hits.length, 0)
  const chosen = Math.min(at, count - 1)

  // before the browser hands over the next key: until then it is typed into `early`
  useLayoutEffect(() => {
    if (early === undefined) return
    setText(early.text)
    isOpening.current = early.isEntered
  }, [early, setText])
  useLayoutEffect(() => {
    if (!autoFocus || !field.current) return
    // a dialog around it, which opens right after, gives the focus to what has the attribute
    field.current.autofocus = true
    field.current.focus()
  }, [autoFocus])
  useEffect(() => {
    list.current?.querySelector(`[data-hit="${chosen}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  // Enter came before the answer did
  useEffect(() => {
    if (!isCurrent || !isOpening.current) return
    isOpening.current = false
    openChosen(list.current)
  }, [isCurrent])

  const press = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    const to: Record<string, number> = { ArrowDown: chosen + 1, ArrowUp: chosen - 1 }
    const next = to[event.key]
    if (next !== undefined && count > 0) setAt((next + count) % count)
    else if (event.key === 'Enter' && isCurrent) openChosen(list.current)
    else if (event.key === 'Enter') isOpening.current = true
    else return
    event.preventDefault()
  }
  return (
    <search className="finder">
      <div className="finder-field">
        <Icon name="find" />
        <input
          ref={field}
          role="combobox"
          aria-label="Find a stack, a run, a pull request or a repository"
          aria-expanded={count > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={count > 0 ? `${id}-${chosen}` : undefined}
          autoComplete="off"
          spellCheck={false}
          placeholder="Stack, run, #42 or repository"
          value={text}
          onChange={({ currentTarget }) => {
            isOpening.current = false
            setAt(0)
            setText(currentTarget.value)
          }}
          onKeyDown={press}
        />
      </div>
      <Hits id={id} list={list} text={text} found={found} chosen={chosen} choose={setAt} onOpened={onOpened} />
    </search>
  )
}

const openChosen = (list: HTMLElement | null): void => list?.querySelector<HTMLElement>('[aria-selected=true]')?.click()
