import { Link } from '@tanstack/react-router'
import type { Whoami } from '../api/me.ts'
import { Icon } from '../parts/Icon.tsx'
import { Menu } from '../parts/overlay/Menu.tsx'
import { Account } from './Account.tsx'
import { placesOf } from './places.ts'
import '../keys/key-list.css'
import './bar.css'

type BarProps = { me: Whoami | undefined; showKeys: () => void; skip: () => void; find: () => void }

/** What is at the top of every page; on phones its links are in a menu. */
export const Bar = ({ me, showKeys, skip, find }: BarProps) => (
  <header className="bar">
    <button type="button" className="button skip" onClick={skip}>
      Skip to the content
    </button>
    {me && (
      <div className="bar-menu">
        <Menu label="Pages" className="button button-icon" button={<Icon name="menu" />}>
          {placesOf(me).map(({ name, to }) => (
            <Link key={to} to={to} role="menuitem" tabIndex={-1} activeOptions={{ exact: to === '/' }}>
              {name}
            </Link>
          ))}
        </Menu>
      </div>
    )}
    <Link to="/" className="bar-name">
      svc
    </Link>
    {me && (
      <nav className="bar-places" aria-label="Main">
        {placesOf(me).map(({ name, to }) => (
          <Link key={to} to={to} activeOptions={{ exact: to === '/' }}>
            {name}
          </Link>
        ))}
      </nav>
    )}
    {me && (
      <button type="button" className="bar-find" aria-haspopup="dialog" onClick={find}>
        <Icon name="find" />
        <span className="bar-find-words">Find a stack, run, #42</span>
        <kbd>/</kbd>
      </button>
    )}
    {me && <Account me={me} showKeys={showKeys} />}
  </header>
)
