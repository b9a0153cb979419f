import { useState } from 'react'
import { createPortal } from 'react-dom'
import { basePath } from '../api/base.ts'
import { type ApiProblem, asProblem, isUncertain } from '../api/errors.ts'
import type { Whoami } from '../api/me.ts'
import { signOut } from '../api/me.ts'
import { Problem } from '../parts/feedback/Problem.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Dialog } from '../parts/overlay/Dialog.tsx'
import { Menu, MenuChoice, MenuItem } from '../parts/overlay/Menu.tsx'
import { chooseTheme, chosenTheme, themes } from '../theme/theme-choice.ts'
import { initials } from './initials.ts'

const themeWords = { system: 'As the system', light: 'Light', dark: 'Dark' }

/** Who is signed in, with what is theirs to choose. */
export const Account = ({ me, showKeys }: { me: Whoami; showKeys: () => void }) => {
  const [theme, setTheme] = useState(chosenTheme)
  const [problem, setProblem] = useState<ApiProblem>()
  const leave = async (): Promise<void> => {
    setProblem(undefined)
    try {
      await signOut()
    } catch (error) {
      const found = asProblem(error)
      // a session that has ended is what was wanted
      if (found.code !== 'unauthorized') return setProblem(found)
    }
    // nothing of what was shown stays in this tab
    location.assign(`${basePath}/sign-in`)
  }
  return (
    <>
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
      {problem && <StillIn problem={problem} leave={leave} onClose={() => setProblem(undefined)} />}
    </>
  )
}

type StillInProps = { problem: ApiProblem; leave: () => Promise<void>; onClose: () => void }

/** Beside the page, and not in the bar: a dialog has a header of its own. */
const StillIn = ({ problem, leave, onClose }: StillInProps) =>
  createPortal(
    <Dialog title="Signing out did not work" onClose={onClose}>
      <Problem
        problem={problem}
        what={isUncertain(problem) ? 'You may still be signed in' : 'You are still signed in'}
        tryAgain={() => void leave()}
      />
    </Dialog>,
    document.body,
  )
