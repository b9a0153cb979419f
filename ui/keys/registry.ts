import { useEffect, useRef, useSyncExternalStore } from 'react'
import { type Binding, createChords } from './chords.ts'

const registered = new Set<{ bindings: readonly Binding[] }>()
const listeners = new Set<() => void>()
let current: readonly Binding[] = []

const changed = (): void => {
  current = [...registered].flatMap(({ bindings }) => bindings)
  for (const listener of listeners) listener()
}

/** Shortcuts of a part of the page, as long as it is drawn. */
export const useKeys = (bindings: readonly Binding[]): void => {
  const newest = useRef(bindings)
  newest.current = bindings
  const names = JSON.stringify(bindings.map(({ keys, does }) => [keys, does]))
  useEffect(() => {
    const own = (JSON.parse(names) as [string, string][]).map(([keys, does], at) => ({
      keys,
      does,
      act: () => newest.current[at]?.act(),
    }))
    const entry = { bindings: own }
    registered.add(entry)
    changed()
    return () => {
      registered.delete(entry)
      changed()
    }
  }, [names])
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Every shortcut that there is now. */
export const useAllKeys = (): readonly Binding[] => useSyncExternalStore(subscribe, () => current)

const stored = 'svc.keys'

/** Whether single keys do anything: who speaks to the machine, or whose hands slip, turns them off (WCAG 2.1.4). */
export const areKeysOn = (): boolean => {
  try {
    return localStorage.getItem(stored) !== 'off'
  } catch {
    return true
  }
}

export const turnKeys = (on: boolean): void => {
  try {
    if (on) localStorage.removeItem(stored)
    else localStorage.setItem(stored, 'off')
  } catch {
    // then they stay on: there is nowhere to keep it
  }
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** What has the focus takes these itself. */
const isActing = ({ key, target }: KeyboardEvent): boolean =>
  (key === 'Enter' || key === ' ') && target instanceof Element && target.closest('a, button, summary') !== null

/** Listens for keys until the answered function is called. */
export const listenForKeys = (): (() => void) => {
  const meant = createChords(() => current)
  const listen = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    // what is open over the page has the keyboard to itself; so has a dialog that the browser shut and that opens again at once
    if (isTyping(event.target) || document.querySelector('dialog, [role=menu]:popover-open') || !areKeysOn()) return
    if (isActing(event)) return
    const binding = meant({ key: event.key, at: event.timeStamp })
    if (!binding) return
    event.preventDefault()
    binding.act()
  }
  addEventListener('keydown', listen)
  return () => removeEventListener('keydown', listen)
}
