import { useNavigate, useRouterState } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react'
import { KeyList } from '../keys/KeyList.tsx'
import { listenForKeys, useKeys } from '../keys/registry.ts'
import { Announcements } from '../live/Announcements.tsx'
import { Note } from '../live/Note.tsx'
import { Bar } from './Bar.tsx'
import { placesOf } from './places.ts'
import { useMe } from './useMe.ts'
import './shell.css'

type ShellProps = {
  children: ReactNode
  /** The search over any page. */
  Search: ComponentType<{ onClose: () => void }>
}

/** What is around every page: the way to its content, the bar, the keyboard, and what is read out. */
export const Shell = ({ children, Search }: ShellProps) => {
  const isSigningIn = useRouterState({ select: ({ location }) => location.pathname === '/sign-in' })
  const me = useMe(!isSigningIn)
  const [areKeysShown, setKeysShown] = useState(false)
  const [isFinding, setFinding] = useState(false)
  const navigate = useNavigate()
  useEffect(listenForKeys, [])
  useKeys([
    { keys: '/', does: 'Search', act: () => setFinding(!isSigningIn) },
    { keys: '?', does: 'This list', act: () => setKeysShown(true) },
    ...placesOf(me).map(({ name, to, key }) => ({ keys: `g ${key}`, does: name, act: () => void navigate({ to }) })),
  ])
  const content = useFocusOfNewPage()
  return (
    <>
      <Bar
        skip={() => content.current?.focus()}
        me={isSigningIn ? undefined : me}
        showKeys={() => setKeysShown(true)}
        find={() => setFinding(true)}
      />
      <main id="content" ref={content} className="page" tabIndex={-1}>
        {children}
      </main>
      {areKeysShown && <KeyList onClose={() => setKeysShown(false)} />}
      {isFinding && <Search onClose={() => setFinding(false)} />}
      <Announcements />
      <Note />
    </>
  )
}

/**
 * Another page begins at its top for the keyboard too, or who cannot see it would still be on a link that is gone. The tabs of one
 * page are no other page: there the focus stays.
 */
const useFocusOfNewPage = () => {
  const content = useRef<HTMLElement>(null)
  const page = useRouterState({ select: ({ matches }) => matches[1]?.pathname ?? '' })
  const shown = useRef(page)
  useEffect(() => {
    if (shown.current === page) return
    const isFirst = shown.current === ''
    shown.current = page
    // a page that is a field has it already
    const isTaken = document.activeElement?.matches('main input') ?? false
    if (!isFirst && !isTaken) content.current?.focus({ preventScroll: true })
  }, [page])
  return content
}
