import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { AppCredentials } from '#emulator/app.ts'
import type { FaultBook } from '#emulator/faults/faults.ts'
import type { Delivery, DeliveryOutcome, Installation } from '#emulator/records.ts'
import type { Store } from '#emulator/store.ts'
import { createDisturbedSending } from './disturbed-sending.ts'

/** Events that an app gets without subscribing. */
const unsubscribed = new Set(['ping', 'installation', 'installation_repositories', 'github_app_authorization'])

/** GitHub waits ten seconds for an answer (an Enterprise Server thirty). */
const answerTimeout = 10_000

export type WebhookOptions = {
  app: Pick<AppCredentials, 'id' | 'webhookSecret'>
  store: Store
  clock: () => Date
  url: string | undefined
  /** Milliseconds before each delivery. */
  latency: number
  faults: FaultBook
}

/** What an event is about; without an installation it is about the app itself. */
export type WebhookSubject = { installation?: Installation; repositoryId?: number }

export type Webhooks = {
  setUrl(url: string): void
  /** Queues an event for the app, if its installation subscribes to it. `payload` is taken as it is now. */
  emit(event: string, payload: Record<string, unknown>, subject: WebhookSubject): void
  /** Sends a delivery's payload again, under its GUID, like GitHub's redelivery. */
  redeliver(delivery: Delivery): void
  /** Resolves once nothing is being sent. */
  settled(): Promise<void>
  close(): Promise<void>
}

/**
 * The app's webhook: sends deliveries one after another in the order of their events, each signed over the bytes sent. A
 * failed delivery is recorded and not repeated, as on GitHub.
 */
export const createWebhooks = (options: WebhookOptions): Webhooks => {
  const { store } = options
  const stop = new AbortController()
  let url = options.url
  let queue: Promise<void> = Promise.resolve()

  const enqueue = (delivery: Delivery): void => {
    store.deliveries.set(delivery.id, delivery)
    queue = queue.then(async () => {
      if (stop.signal.aborted) return
      if (options.latency > 0) await delay(options.latency, undefined, { signal: stop.signal }).catch(() => {})
      delivery.outcome = await send(delivery, options.clock, stop.signal)
    })
  }

  const sending = createDisturbedSending(options.faults, { store, clock: options.clock, enqueue, stop: stop.signal })

  const deliver = (to: string, event: string, payload: Record<string, unknown>, subject: WebhookSubject): void => {
    const guid = randomUUID()
    const body = JSON.stringify(payload)
    const delivery: Delivery = {
      id: store.newId(),
      guid,
      redelivery: false,
      event,
      action: typeof payload.action === 'string' ? payload.action : null,
      installationId: subject.installation?.id ?? null,
      repositoryId: subject.repositoryId ?? null,
      url: to,
      requestHeaders: headersOf(options.app, event, guid, body),
      payload: body,
      outcome: undefined,
    }
    sending.send(delivery, payload)
  }

  return {
    setUrl: (to) => {
      url = to
    },
    emit: (event, payload, subject) => {
      const { installation } = subject
      const wanted = unsubscribed.has(event) || (installation?.events.includes(event) && !installation.suspendedAt)
      if (url !== undefined && wanted) deliver(url, event, payload, subject)
    },
    redeliver: (delivery) =>
      enqueue({ ...delivery, id: store.newId(), redelivery: true, url: url ?? delivery.url, outcome: undefined }),
    settled: async () => {
      await sending.release()
      let waited: Promise<void> | undefined
      while (waited !== queue) {
        waited = queue
        await waited
      }
    },
    close: async () => {
      stop.abort()
      await queue
    },
  }
}

const headersOf = (app: WebhookOptions['app'], event: string, guid: string, body: string): Record<string, string> => ({
  accept: '*/*',
  'content-type': 'application/json',
  'user-agent': 'GitHub-Hookshot/emulator',
  'x-github-delivery': guid,
  'x-github-event': event,
  'x-github-hook-id': String(app.id + 1_000_000),
  'x-github-hook-installation-target-id': String(app.id),
  'x-github-hook-installation-target-type': 'integration',
  'x-hub-signature-256': `sha256=${createHmac('sha256', app.webhookSecret).update(body).digest('hex')}`,
})

const send = async (delivery: Delivery, clock: () => Date, stop: AbortSignal): Promise<DeliveryOutcome> => {
  const started = performance.now()
  const ended = () => ({ deliveredAt: clock(), duration: Math.round(performance.now() - started) / 1000 })
  try {
    const answer = await fetch(delivery.url, {
      method: 'POST',
      headers: delivery.requestHeaders,
      body: delivery.payload,
      redirect: 'manual',
      signal: AbortSignal.any([stop, AbortSignal.timeout(answerTimeout)]),
    })
    const responseBody = await answer.text()
    return {
      ...ended(),
      status: answer.ok ? 'OK' : `Invalid HTTP Response: ${answer.status}`,
      statusCode: answer.status,
      responseHeaders: Object.fromEntries(answer.headers),
      responseBody,
    }
  } catch (error) {
    const late = error instanceof Error && error.name === 'TimeoutError'
    const status = late ? 'timed out' : 'failed to connect to host'
    return { ...ended(), status, statusCode: 0, responseHeaders: {}, responseBody: '' }
  }
}
