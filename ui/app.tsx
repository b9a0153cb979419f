import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { createQueryClient } from './live/query-client.ts'
import { createRoutes } from './routes.ts'
import { SearchDialog } from './search/SearchDialog.tsx'
import { SearchHere } from './search/SearchHere.tsx'
import { Broken } from './shell/Broken.tsx'
import { NotThere } from './shell/NotThere.tsx'
import { Shell } from './shell/Shell.tsx'

const router = createRoutes()

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

/** Opens the page for signing in, once, with the way back to what is shown. */
const askToSignIn = (): void => {
  const { pathname, href } = router.state.location
  if (pathname === '/sign-in') return
  void router.navigate({ to: '/sign-in', search: { next: href }, replace: true })
}

const queries = createQueryClient(askToSignIn)

// what the search finds are pages, which have the shell around them: it cannot know the search
const Around = ({ children }: { children: ReactNode }) => <Shell Search={SearchDialog}>{children}</Shell>

const UnknownPath = () => (
  <NotThere>
    <SearchHere />
  </NotThere>
)

router.update({
  InnerWrap: Around,
  defaultNotFoundComponent: UnknownPath,
  defaultErrorComponent: Broken,
})

/** Everything: what was asked of the service, and the page that the address names. */
export const App = () => (
  <QueryClientProvider client={queries}>
    <RouterProvider router={router} />
  </QueryClientProvider>
)
