import { createDice } from '../fuzz/dice.ts'
import type { Loop } from './open-loop.ts'
import { send } from './send.ts'

/** GET /v1/runs/{id}/gate: the service reads its configuration, and whatever that asks for, at the code host. */
export const askGate = async ({ prove, process }: Loop, runId: string): Promise<void> => {
  const request = { method: 'GET', path: `/v1/runs/${runId}/gate`, headers: {}, body: undefined }
  const headers = await prove('key', request, createDice(1))
  await send(process.address, { ...request, headers })
}

/** POST /v1/runs/{id}/gate, with a text to be judged by. */
export const tryGate = async ({ prove, process }: Loop, runId: string, config: string): Promise<void> => {
  const body = Buffer.from(JSON.stringify({ config }))
  const request = { method: 'POST', path: `/v1/runs/${runId}/gate`, headers: {}, body }
  const headers = { 'content-type': 'application/json', ...(await prove('key', request, createDice(1))) }
  await send(process.address, { ...request, headers })
}
