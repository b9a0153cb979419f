import { headersOf, newsOfComment, newsOfPull } from '../walks/host/news.ts'
import { fullNameOf, type HostPull, type HostRepository, newId, newSha } from '../walks/host/records.ts'
import type { Place } from '../walks/place.ts'

// biome-ignore lint/suspicious/noExplicitAny: a body is whatever the service answers
type Body = any
type Answered = { status: number; body: Body }

/** One who takes and gives back locks in a repository; `dice` says what comes next, and which instance is asked. */
export type Caller = { place: Place; repository: HostRepository; keys: readonly string[]; dice(below: number): number }

const json = { 'content-type': 'application/json' }

export const askAsKey = ({ place, dice }: Caller, path: string, body?: unknown): Promise<Answered> =>
  place.asking.ask(
    {
      ...{ method: body === undefined ? 'GET' : 'POST', path },
      headers: async () => ({ ...json, authorization: `Bearer ${place.apiKey}` }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
    dice(2),
  )

export type Job = { workflowRunId: number; attempt: number; pull?: number }

export const askAsJob = (
  { place, repository, dice }: Caller,
  job: Job,
  path: string,
  body: unknown,
): Promise<Answered> =>
  place.asking.ask(
    {
      ...{ method: 'POST', path, body: JSON.stringify(body) },
      headers: async () => ({ ...json, authorization: `Bearer ${await place.host.tokens.mint(repository, job)}` }),
    },
    dice(2),
  )

const deliver = async ({ place, dice }: Caller, delivery: ReturnType<typeof newsOfPull>): Promise<void> => {
  const headers = async () => headersOf(delivery, place.host.webhookSecret)
  await place.asking.ask({ method: 'POST', path: '/webhooks/codehost', headers, body: delivery.body }, dice(2))
}

/** A new pull request at the code host. */
export const openPull = ({ repository }: Caller): HostPull => {
  repository.lastNumber += 1
  const number = repository.lastNumber
  const headRef = `change-${number}`
  const pull: HostPull = { number, state: 'open', mergedAt: null, headSha: newSha(), headRef }
  repository.pulls.set(number, pull)
  return pull
}

const plan = { mode: 'plan', status: 'success', exit_code: 2, has_changes: true }

/** Its job plans these stacks, each by itself. */
export const planPull = async (caller: Caller, pull: HostPull, keys: readonly string[]): Promise<void> => {
  const { repository } = caller
  const job = { workflowRunId: newId(), attempt: 1, pull: pull.number }
  const repo = fullNameOf(repository)
  const opened = await askAsJob(caller, job, '/v1/runs', {
    repo,
    sha: pull.headSha,
    pr_number: pull.number,
    mode: 'plan',
  })
  const id: string = opened.body.run_id
  const stacks = caller.keys.map((key) => ({ key, path: key }))
  const graph = { repo, sha: pull.headSha, tree_hash: 'tree', modules: [], edges: [], stacks }
  const body = { graph, config: { version: 1, tool: 'terraform' }, stacks: keys }
  await askAsJob(caller, job, `/v1/runs/${id}/graph`, body)
  for (const key of keys) await askAsJob(caller, job, `/v1/runs/${id}/stacks/${key}/result`, plan)
}

/** `svc apply`, and whatever follows from it. */
export const comment = async (caller: Caller, pull: HostPull, text: string): Promise<void> => {
  await deliver(caller, newsOfComment(caller.repository, pull.number, text))
  await caller.place.quiet.settled(caller.repository.installationId)
}

/** The pull request is closed, or merged. */
export const closePull = async (caller: Caller, pull: HostPull, isMerged: boolean): Promise<void> => {
  pull.state = 'closed'
  if (isMerged) pull.mergedAt = new Date().toISOString()
  await deliver(caller, newsOfPull(caller.repository, pull, 'closed'))
}
