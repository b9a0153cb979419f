import { createDice } from '../fuzz/dice.ts'
import type { Loop } from './open-loop.ts'
import { send } from './send.ts'

/** GET /v1/runs/{id}/gate: the service reads its configuration, and whatever that asks for, at the code host. */
export const askGate = async ({ prove, process }: Loop, runId: string): Promise<void> => {
  const request = { method: 'GET', path: `/v1/runs/${runId}/gate`, headers: {}, body: undefined }
  const headers = await prove('key', request, createDice(1))
  await send(process.address, { ...request, headers })
}
