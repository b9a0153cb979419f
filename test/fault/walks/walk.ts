import type { Answer, LastAnswer } from './asking.ts'
import type { Job as JobOf } from './host/job-tokens.ts'
import { type Delivery, headersOf } from './host/news.ts'
import type { HostRepository } from './host/records.ts'
import type { Model } from './model/model.ts'
import type { Place } from './place.ts'

/** A walk under way: its part of the place, and what the model says of it. */
export type Walk = {
  seed: number
  place: Place
  repository: HostRepository
  /** Whole numbers below the given one; the same for a seed and a step. */
  dice: (below: number) => number
  model: Model
  /** Numbers of pull requests whose last news has not been delivered. */
  unheard: Set<number>
  /** The ids of the stacks. */
  stackIds: Readonly<Record<string, string>>
  /** Transitions that leave no row of the journal, as callers heard them. */
  heard: Set<string>
  /** How many instances had been killed when the step began. */
  killsBefore: number
  /** What was not as the model says. */
  broken: string[]
}

/** Something that may happen next; `key` says which it is, in words that another run of the walk would use too. */
export type Choice = { key: string; take(): Promise<void> }

/** A kind of step: what of it may happen now, and how likely that is beside other kinds. */
export type Step = { name: string; weight: number | ((walk: Walk) => number); choices(walk: Walk): Choice[] }

/** The first of two weights where the step would get the walk somewhere, else the second. */
export const likelier =
  (isPromising: (walk: Walk) => boolean, weight: number, otherwise: number) =>
  (walk: Walk): number =>
    isPromising(walk) ? weight : otherwise

/** The model after `change`, which changes a copy. */
export const changed = (model: Model, change: (draft: Model) => void): Model => {
  const draft = structuredClone(model)
  change(draft)
  return draft
}

const ask = async (
  walk: Walk,
  method: 'GET' | 'POST',
  path: string,
  body: unknown,
  authorization: () => Promise<string>,
): Promise<LastAnswer> => {
  const headers = async () => ({ authorization: await authorization(), 'content-type': 'application/json' })
  const request = { method, path, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  const answer = await walk.place.asking.ask(request, walk.dice(2))
  if (answer.status >= 500) walk.broken.push(`${method} ${path} is ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer
}

/** A request of a job. */
export const askAsJob = (walk: Walk, job: JobOf, path: string, body: unknown): Promise<Answer> =>
  ask(walk, 'POST', path, body, async () => `Bearer ${await walk.place.host.tokens.mint(walk.repository, job)}`)

/** A request with the API key. */
export const askAsKey = (walk: Walk, path: string, body?: unknown): Promise<LastAnswer> =>
  ask(walk, body === undefined ? 'GET' : 'POST', path, body, async () => `Bearer ${walk.place.apiKey}`)

/** Delivers a webhook; one in four comes twice, to either instance. */
export const deliver = async (walk: Walk, delivery: Delivery): Promise<void> => {
  const { host, asking } = walk.place
  const headers = async () => headersOf(delivery, host.webhookSecret)
  const request = { method: 'POST', path: '/webhooks/codehost', headers, body: delivery.body }
  const times = walk.dice(4) === 0 ? 2 : 1
  const answers = await Promise.all(Array.from({ length: times }, () => asking.ask(request, walk.dice(2))))
  for (const { status } of answers) if (status !== 202) walk.broken.push(`a delivery is answered ${status}`)
}

/** Compares an answer with the one that the model gives. */
export const expectAnswer = (
  walk: Walk,
  what: string,
  { status, body }: Answer,
  wanted: { status: number; code?: string | undefined },
): void => {
  if (status === wanted.status && (wanted.code === undefined || body?.code === wanted.code)) return
  const said = `${status} ${body?.code ?? ''} ${body?.message ?? ''}`.trim()
  walk.broken.push(`${what} is answered ${said}, where the model says ${wanted.status} ${wanted.code ?? ''}`)
}

export const stackPath = (runId: string, key: string): string => `/v1/runs/${runId}/stacks/${encodeURIComponent(key)}`

/** The same result has the same words. */
export const resultOf = (mode: 'plan' | 'apply', outcome: string) => {
  const hasChanges = outcome === 'changes'
  const failed = outcome === 'failed'
  return {
    ...{ mode, status: failed ? 'failure' : 'success', exit_code: failed ? 1 : mode === 'plan' && hasChanges ? 2 : 0 },
    ...{ has_changes: hasChanges, ...(outcome === 'unconfirmed' ? { unconfirmed: true } : {}) },
  }
}
