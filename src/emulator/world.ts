import type { ActionsEngine, RunningWorkflow } from './actions/contract.ts'
import type { App } from './app.ts'
import type { FaultBook } from './faults/faults.ts'
import type { Issuer } from './oidc/issuer.ts'
import type { SignIns } from './sign-in/sign-ins.ts'
import type { Store } from './store.ts'
import type { Webhooks } from './webhooks/webhooks.ts'
import type { PendingApproval } from './workflows/pending-approval.ts'

/** The emulator's addresses; the paths are those of a GitHub Enterprise Server, where all three share one host. */
export type Urls = { web: string; api: string; issuer: string }

export const urlsAt = (web: string): Urls => ({ web, api: `${web}/api/v3`, issuer: `${web}/_services/token` })

/** One answered REST request, for tests that count what was created. */
export type LoggedRequest = {
  method: string
  /** The template as GitHub's documentation writes it; the path itself if no route matched. */
  route: string
  path: string
  status: number
  installationId: number | undefined
}

/** Everything the emulator's parts share; made once, in emulator.ts. */
export type World = {
  clock: () => Date
  urls: Urls
  app: App
  store: Store
  issuer: Issuer
  webhooks: Webhooks
  actions: {
    /** Undefined: no workflow runs by itself; tests may still play one (people/play-workflow-run.ts). */
    engine: ActionsEngine | undefined
    running: Map<number, RunningWorkflow>
  }
  /** Jobs that wait for the approval of their environment, by id. */
  approvals: Map<number, PendingApproval>
  /** Permissions that people give the app to act for them, and apps being made. */
  signIns: SignIns
  faults: FaultBook
  requests: LoggedRequest[]
  /** Directory of the git repositories. */
  dataDir: string
  /** Requests an hour and installation. */
  rateLimit: number
  /** How often the mergeability of a changed pull request is first answered with null. */
  unknownMergeableAnswers: number
}
