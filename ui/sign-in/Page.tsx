import { getRouteApi } from '@tanstack/react-router'
import { signInAddress } from '../api/me.ts'
import { useTitle } from '../shell/useTitle.ts'

const route = getRouteApi('/sign-in')

/** Asks to sign in, says what that asks for, and leads back to what was open. */
export const SignInPage = () => {
  const { next } = route.useSearch()
  useTitle('Sign in')
  return (
    <div className="words">
      <h1>Sign in to svc</h1>
      <p>
        {next === undefined || next === '/'
          ? 'The runs of your repositories are here once you are signed in.'
          : 'What you opened is shown once you are signed in; it will be as you left it.'}
      </p>
      <p>
        <a className="button button-main" href={signInAddress(next ?? '/')}>
          Sign in at the code host
        </a>
      </p>
      <p className="quiet">
        The code host tells svc your name and your organisations (<code>read:org</code>), so it shows you what is yours
        to see. A session lasts seven days. It can change nothing at the code host in your name.
      </p>
    </div>
  )
}
