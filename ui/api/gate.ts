import type { Gate } from '#api/runs/gate.ts'
import { getJson, pathOf } from './client.ts'

export type { Gate }

/** What the gate says of a plan run now, to who is signed in; of an apply, what it found when the apply passed. */
export const readGate = (runId: string, signal?: AbortSignal): Promise<Gate> =>
  getJson(pathOf('runs', runId, 'gate'), signal)
