import type { Backend } from '#domain/graph/graph.ts'
import type { Partly } from '../hcl/value.ts'
import type { StackJob } from '../job/stack-job.ts'
import { stateLocation } from '../scan/state/state-location.ts'
import type { InitialisedBackend } from './tool.ts'

const withoutCredentials = (text: string): string => text.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1')

/** Terragrunt makes paths absolute. Those of the checkout are told from its top, as in the graph. */
const inCheckout = ({ directory, path }: StackJob, key: string): string => {
  const top = path === '.' ? directory : directory.slice(0, -path.length - 1)
  return key.startsWith(`${top}/`) ? key.slice(top.length + 1) : key
}

/** The backend that a stack was planned with, as the graph names it. Credentials in its configuration stay here. */
export const reportedBackend = (job: StackJob, initialised: InitialisedBackend | undefined): Backend => {
  const { type, config } = initialised ?? { type: 'local', config: {} }
  const where = { workspace: job.workspace ?? 'default', directory: job.path }
  // A null field was not configured.
  const fields = Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null)) as Record<
    string,
    Partly
  >
  const { backend } = stateLocation(type, fields, where)
  return backend.key === undefined ? backend : { ...backend, key: withoutCredentials(inCheckout(job, backend.key)) }
}
