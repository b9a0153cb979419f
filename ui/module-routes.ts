import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { addresses } from './addresses.ts'
import { root } from './root-route.ts'

const modules = createRoute({
  getParentRoute: () => root,
  path: addresses.modules.path,
  validateSearch: addresses.modules.search,
  component: lazyRouteComponent(() => import('./modules/Page.tsx'), 'ModulesPage'),
})

const module = createRoute({
  getParentRoute: () => root,
  path: addresses.module.path,
  validateSearch: addresses.module.search,
  component: lazyRouteComponent(() => import('./module/Page.tsx'), 'ModulePage'),
})

/** The pages of modules. */
export const moduleRoutes = [modules, module] as const
