import { activityRoutes } from './activities.ts'
import { appRoutes } from './apps.ts'
import { checkRunRoutes } from './check-runs.ts'
import { commentRoutes } from './comments.ts'
import { commitRoutes } from './commits.ts'
import { contentRoutes } from './contents.ts'
import { deliveryRoutes } from './deliveries.ts'
import { dispatchRoutes } from './dispatches.ts'
import { issueRoutes } from './issues.ts'
import { organizationRoutes } from './organizations.ts'
import { pullRoutes } from './pulls.ts'
import { rateLimitRoutes } from './rate-limit-routes.ts'
import { reactionRoutes } from './reactions.ts'
import { repositoryRoutes } from './repositories.ts'
import { reviewRoutes } from './reviews.ts'
import { runChangeRoutes } from './run-changes.ts'
import type { Route } from './serving/route.ts'
import { signedInRoutes } from './signed-in.ts'
import { tagRoutes } from './tags.ts'
import { treeRoutes } from './trees.ts'
import { workflowRunRoutes } from './workflow-runs.ts'

/** Every operation of the emulator: a new area is a file of its own and a line here. */
export const routes: Route[] = [
  ...appRoutes,
  ...deliveryRoutes,
  ...repositoryRoutes,
  ...commitRoutes,
  ...activityRoutes,
  ...tagRoutes,
  ...contentRoutes,
  ...treeRoutes,
  ...pullRoutes,
  ...checkRunRoutes,
  ...reviewRoutes,
  ...commentRoutes,
  ...reactionRoutes,
  ...issueRoutes,
  ...organizationRoutes,
  ...dispatchRoutes,
  ...workflowRunRoutes,
  ...runChangeRoutes,
  ...rateLimitRoutes,
  ...signedInRoutes,
]
