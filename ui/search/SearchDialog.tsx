import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Dialog } from '../parts/overlay/Dialog.tsx'
import type { Early } from './EarlyTyping.tsx'
import { Finder } from './Finder.tsx'
import '../keys/key-list.css'

/** The search over any page. */
export const SearchDialog = ({ early, onClose }: { early: Early; onClose: () => void }) => {
  const [text, setText] = useState('')
  return (
    <Dialog title="Search" onClose={onClose}>
      <div className="search-dialog">
        <Finder text={text} setText={setText} onOpened={onClose} early={early} autoFocus />
        <p className="finder-keys quiet small">
          <span>
            <kbd>↑</kbd>
            <kbd>↓</kbd> choose
          </span>
          <span>
            <kbd>Enter</kbd> open
          </span>
          <Link to="/search" search={{ q: text === '' ? undefined : text }} onClick={onClose}>
            As a page
          </Link>
        </p>
      </div>
    </Dialog>
  )
}
