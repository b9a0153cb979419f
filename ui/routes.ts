import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { addresses } from './addresses.ts'
import { basePath } from './api/base.ts'
import { moduleRoutes } from './module-routes.ts'
import { repositoryRoutes } from './repository-routes.ts'
import { root } from './root-route.ts'
import { runRoutes } from './run-routes.ts'
import { parseSearch, stringifySearch } from './search-params.ts'

/*
 * The pages that there are, each in a chunk of its own. A page takes its parameters by `getRouteApi` of the library, which knows
 * their types: importing this file would be a cycle.
 */

const overview = createRoute({
  getParentRoute: () => root,
  path: addresses.overview.path,
  component: lazyRouteComponent(() => import('./overview/Page.tsx'), 'OverviewPage'),
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: addresses.signIn.path,
  validateSearch: addresses.signIn.search,
  component: lazyRouteComponent(() => import('./sign-in/Page.tsx'), 'SignInPage'),
})

const runs = createRoute({
  getParentRoute: () => root,
  path: addresses.runs.path,
  validateSearch: addresses.runs.search,
  component: lazyRouteComponent(() => import('./runs/Page.tsx'), 'RunsPage'),
})

const stacks = createRoute({
  getParentRoute: () => root,
  path: addresses.stacks.path,
  validateSearch: addresses.stacks.search,
  component: lazyRouteComponent(() => import('./stacks/Page.tsx'), 'StacksPage'),
})

const locks = createRoute({
  getParentRoute: () => root,
  path: addresses.locks.path,
  validateSearch: addresses.locks.search,
  component: lazyRouteComponent(() => import('./locks/Page.tsx'), 'LocksPage'),
})

const drift = createRoute({
  getParentRoute: () => root,
  path: addresses.drift.path,
  validateSearch: addresses.drift.search,
  component: lazyRouteComponent(() => import('./drift/Page.tsx'), 'DriftPage'),
})

const audit = createRoute({
  getParentRoute: () => root,
  path: addresses.audit.path,
  validateSearch: addresses.audit.search,
  component: lazyRouteComponent(() => import('./audit/Page.tsx'), 'AuditPage'),
})

const queue = createRoute({
  getParentRoute: () => root,
  path: addresses.queue.path,
  validateSearch: addresses.queue.search,
  component: lazyRouteComponent(() => import('./queue/Page.tsx'), 'QueuePage'),
})

const search = createRoute({
  getParentRoute: () => root,
  path: addresses.search.path,
  validateSearch: addresses.search.search,
  component: lazyRouteComponent(() => import('./search-page/Page.tsx'), 'SearchPage'),
})

const machine = createRoute({
  getParentRoute: () => root,
  path: addresses.machine.path,
  validateSearch: addresses.machine.search,
  component: lazyRouteComponent(() => import('./machine/Page.tsx'), 'MachinePage'),
})

const routeTree = root.addChildren([
  overview,
  signIn,
  ...runRoutes,
  runs,
  stacks,
  locks,
  drift,
  ...repositoryRoutes,
  ...moduleRoutes,
  audit,
  queue,
  search,
  machine,
])

/** The router, without what is drawn around its pages (app.tsx). */
export const createRoutes = () =>
  createRouter({
    routeTree,
    basepath: basePath === '' ? '/' : basePath,
    parseSearch,
    stringifySearch,
    search: { strict: true },
    scrollRestoration: true,
    // a page that answers sooner shows nothing before itself
    defaultPendingMs: 150,
    defaultPendingMinMs: 0,
  })
