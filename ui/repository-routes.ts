import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { addresses } from './addresses.ts'
import { root } from './root-route.ts'

const repositories = createRoute({
  getParentRoute: () => root,
  path: addresses.repositories.path,
  validateSearch: addresses.repositories.search,
  component: lazyRouteComponent(() => import('./repos/Page.tsx'), 'RepositoriesPage'),
})

const repository = createRoute({
  getParentRoute: () => root,
  path: addresses.repository.path,
  component: lazyRouteComponent(() => import('./repository/Page.tsx'), 'RepositoryPage'),
})

const repositoryStacks = createRoute({
  getParentRoute: () => repository,
  path: '/',
  validateSearch: addresses.repository.search,
  component: lazyRouteComponent(() => import('./repository/stacks/Page.tsx'), 'StacksTab'),
})

const repositoryRuns = createRoute({
  getParentRoute: () => repository,
  path: 'runs',
  validateSearch: addresses.repositoryRuns.search,
  component: lazyRouteComponent(() => import('./repository/runs/Page.tsx'), 'RepositoryRunsTab'),
})

const repositoryGraph = createRoute({
  getParentRoute: () => repository,
  path: 'graph',
  validateSearch: addresses.repositoryGraph.search,
  component: lazyRouteComponent(() => import('./graph/Page.tsx'), 'RepositoryGraphTab'),
})

const repositoryLocks = createRoute({
  getParentRoute: () => repository,
  path: 'locks',
  validateSearch: addresses.repositoryLocks.search,
  component: lazyRouteComponent(() => import('./repository/locks/Page.tsx'), 'RepositoryLocksTab'),
})

const pull = createRoute({
  getParentRoute: () => root,
  path: addresses.pull.path,
  component: lazyRouteComponent(() => import('./pull/Page.tsx'), 'PullPage'),
})

const stack = createRoute({
  getParentRoute: () => root,
  path: addresses.stack.path,
  component: lazyRouteComponent(() => import('./stack/Page.tsx'), 'StackPage'),
})

/** The pages of repositories, of their stacks and of their pull requests. */
export const repositoryRoutes = [
  repositories,
  repository.addChildren([repositoryStacks, repositoryRuns, repositoryGraph, repositoryLocks]),
  stack,
  pull,
] as const
