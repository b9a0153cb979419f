import { createHmac, randomUUID } from 'node:crypto'
import { fullNameOf, type HostPull, type HostRepository, type HostWorkflowRun, newId } from './records.ts'

/** A webhook delivery, sent once, twice or later. */
export type Delivery = { id: string; event: string; body: string }

const made = (repository: HostRepository, event: string, payload: object): Delivery => ({
  id: randomUUID(),
  event,
  body: JSON.stringify({
    ...payload,
    installation: { id: repository.installationId },
    repository: { id: repository.id, full_name: fullNameOf(repository), default_branch: 'main' },
    sender: { id: 21, login: 'rob', type: 'User' },
  }),
})

export const newsOfPull = (repository: HostRepository, pull: HostPull, action: string): Delivery => {
  const merged = pull.mergedAt !== null
  return made(repository, 'pull_request', { action, number: pull.number, pull_request: { merged } })
}

export const newsOfComment = (repository: HostRepository, number: number, body: string): Delivery =>
  made(repository, 'issue_comment', {
    action: 'created',
    issue: { number, pull_request: {} },
    comment: {
      ...{ id: newId(), body, user: { id: 21, login: 'rob', type: 'User' }, created_at: new Date().toISOString() },
    },
  })

export const newsOfWorkflow = (repository: HostRepository, run: HostWorkflowRun, action: string): Delivery =>
  made(repository, 'workflow_run', { action, workflow_run: { id: run.id, event: run.event, path: run.path } })

/** The headers of a delivery, its signature too. */
export const headersOf = ({ id, event, body }: Delivery, secret: string): Record<string, string> => ({
  'content-type': 'application/json',
  'x-github-event': event,
  'x-github-delivery': id,
  'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
})
