import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { addresses } from './addresses.ts'
import { root } from './root-route.ts'

const run = createRoute({
  getParentRoute: () => root,
  path: addresses.run.path,
  validateSearch: addresses.run.search,
  component: lazyRouteComponent(() => import('./run/Page.tsx'), 'RunPage'),
})

const runBoard = createRoute({
  getParentRoute: () => run,
  path: '/',
  component: lazyRouteComponent(() => import('./run/board/Page.tsx'), 'BoardTab'),
})

const runTimeline = createRoute({
  getParentRoute: () => run,
  path: 'timeline',
  validateSearch: addresses.runTimeline.search,
  component: lazyRouteComponent(() => import('./run/timeline/Page.tsx'), 'TimelineTab'),
})

const runChanges = createRoute({
  getParentRoute: () => run,
  path: 'changes',
  validateSearch: addresses.runChanges.search,
  component: lazyRouteComponent(() => import('./run/changes/Page.tsx'), 'ChangesTab'),
})

const runGate = createRoute({
  getParentRoute: () => run,
  path: 'gate',
  component: lazyRouteComponent(() => import('./run/gate/Page.tsx'), 'GateTab'),
})

const runMachine = createRoute({
  getParentRoute: () => run,
  path: 'machine',
  validateSearch: addresses.runMachine.search,
  component: lazyRouteComponent(() => import('./run/machine/Page.tsx'), 'MachineTab'),
})

const runWarnings = createRoute({
  getParentRoute: () => run,
  path: 'warnings',
  component: lazyRouteComponent(() => import('./run/warnings/Page.tsx'), 'WarningsTab'),
})

const runStack = createRoute({
  getParentRoute: () => root,
  path: addresses.runStack.path,
  validateSearch: addresses.runStack.search,
  params: {
    parse: ({ id, key }) => ({ id, key: key === './' ? '.' : key }),
    // a browser drops a segment that is a dot, and would ask for a page without a stack
    stringify: ({ id, key }) => ({ id, key: key === '.' ? './' : key }),
  },
  component: lazyRouteComponent(() => import('./run-stack/Page.tsx'), 'RunStackPage'),
})

/** The pages of a run, and of a stack in it. */
export const runRoutes = [
  run.addChildren([runBoard, runTimeline, runChanges, runGate, runMachine, runWarnings]),
  runStack,
] as const
