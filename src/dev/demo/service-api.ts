import { z } from 'zod'
import { Lock } from '#api/repositories/lock.ts'
import { UnlockResponse } from '#api/repositories/unlock.ts'
import { Gate } from '#api/runs/gate.ts'
import { Run } from '#api/runs/run.ts'
import type { Place } from './place.ts'

/* The service's public API as the demo uses it, with its API key. Each call throws the service's error message. */

const ask = async <T>(place: Place, schema: z.ZodType<T>, path: string, body?: object): Promise<T> => {
  const answer = await fetch(`${place.serviceUrl}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${place.apiKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return schema.parse(await answer.json())
}

export const readRun = (place: Place, id: string): Promise<Run> => ask(place, Run, `/v1/runs/${id}`)

export const readGate = (place: Place, runId: string): Promise<Gate> => ask(place, Gate, `/v1/runs/${runId}/gate`)

/** The locks that pull requests hold on the demo's repository. */
export const readLocks = async (place: Place): Promise<Lock[]> => {
  const repo = encodeURIComponent(place.hub.repository.fullName)
  const { items } = await ask(place, z.object({ items: z.array(Lock) }), `/v1/locks?repo=${repo}&limit=500`)
  return items
}

export const releaseLock = (
  place: Place,
  given: { stack_key: string; reason: string; force_state: boolean },
): Promise<UnlockResponse> =>
  ask(place, UnlockResponse, '/v1/unlock', { repo: place.hub.repository.fullName, ...given })
