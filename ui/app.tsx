import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { createQueryClient } from './live/query-client.ts'
import { Boundary } from './parts/feedback/Boundary.tsx'
import { Dialog } from './parts/overlay/Dialog.tsx'
import { createRoutes } from './routes.ts'
import { type Early, EarlyTyping } from './search/EarlyTyping.tsx'
import { Broken } from './shell/Broken.tsx'
import { BrokenPart } from './shell/BrokenPart.tsx'
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

// no part of the first page, which has a budget of 130 KB: it comes two seconds after that is drawn, or when it is asked for
const readSearch = () => import('./search/SearchDialog.tsx')
const SearchDialog = lazy(async () => ({ default: (await readSearch()).SearchDialog }))
const SearchHere = lazy(async () => ({ default: (await import('./search/SearchHere.tsx')).SearchHere }))
const forgetFirst = router.subscribe('onRendered', () => {
  forgetFirst()
  setTimeout(() => void readSearch().catch(() => {}), 2000)
})

const noSearch = 'The search could not be shown'

const Search = ({ onClose }: { onClose: () => void }) => {
  const [early] = useState<Early>({ text: '', isEntered: false })
  return (
    <Boundary
      instead={(error) => (
        <Dialog title="Search" onClose={onClose}>
          <BrokenPart error={error} what={noSearch} />
        </Dialog>
      )}
    >
      <Suspense fallback={<EarlyTyping early={early} onClose={onClose} />}>
        <SearchDialog early={early} onClose={onClose} />
      </Suspense>
    </Boundary>
  )
}

// what the search finds are pages, which have the shell around them: it cannot know the search
const Around = ({ children }: { children: ReactNode }) => <Shell Search={Search}>{children}</Shell>

const UnknownPath = () => (
  <NotThere>
    <Boundary instead={(error) => <BrokenPart error={error} what={noSearch} />}>
      <Suspense>
        <SearchHere />
      </Suspense>
    </Boundary>
  </NotThere>
)

router.update({
  InnerWrap: Around,
  defaultNotFoundComponent: UnknownPath,
  defaultErrorComponent: Broken,
})

// the router keeps what a page throws, and not what is around the page does
const AllBroken = ({ error }: { error: unknown }) => (
  <main className="page">
    <Broken error={error} />
  </main>
)

/** Everything: what was asked of the service, and the page that the address names. */
export const App = () => (
  <QueryClientProvider client={queries}>
    <Boundary instead={(error) => <AllBroken error={error} />}>
      <RouterProvider router={router} />
    </Boundary>
  </QueryClientProvider>
)
