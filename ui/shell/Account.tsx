import { useState } from 'react'
import { basePath } from '../api/base.ts'
import type { Whoami } from '../api/me.ts'
import { signOut } from '../api/me.ts'
import { announce } from '../live/Announcements.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Menu, MenuChoice, MenuItem } from '../parts/overlay/Menu.tsx'
import { chooseTheme, chosenTheme, themes } from '../theme/theme-choice.ts'
import { initials } from './initials.ts'

const themeWords = { system: 'As the system', light: 'Light', dark: 'Dark' }

/** Who is signed in, with what is theirs to choose. */
export const Account = ({ me, showKeys }: { me: Whoami; showKeys: () => void }) => {
  const [theme, setTheme] = useState(chosenTheme)
  const leave = async (): Promise<void> => {
    try {
      await signOut()
    } catch {
      announce('Signing out did not work: the service did not answer.')
      return
    }
    // nothing of what was shown stays in this tab
    location.assign(`${basePath}/sign-in`)
  }
  return (
    <Menu label={`${initials(me.login)}, account of ${me.login}`} className="account" button={initials(me.login)}>
      <p className="menu-note" role="presentation">
        Signed in as {me.login}
        {me.orgs.length > 0 && <>, of {me.orgs.join(', ')}</>}
      </p>
      <fieldset className="menu-part menu-group">
        <legend className="menu-note">Theme</legend>
        {themes.map((one) => (
          <MenuChoice
            key={one}
            isChosen={one === theme}
            choose={() => {
              chooseTheme(one)
              setTheme(one)
            }}
          >
            {themeWords[one]}
          </MenuChoice>
        ))}
      </fieldset>
      <div className="menu-part" role="presentation">
        {me.dashboard_url !== undefined && (
          <a href={me.dashboard_url} role="menuitem" tabIndex={-1}>
            Metrics
            <Icon name="outside" />
          </a>
        )}
        <MenuItem act={showKeys}>Keyboard shortcuts</MenuItem>
        <MenuItem act={() => void leave()}>Sign out</MenuItem>
      </div>
    </Menu>
  )
}
