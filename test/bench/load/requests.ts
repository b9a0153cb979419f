import { createHmac, randomUUID } from 'node:crypto'
import { planText, resultBody } from '../machine/result.ts'
import { type PullRequest, pullRequestPayload } from '../webhook/payload.ts'
import type { Request } from './load.ts'

const result = JSON.stringify({ ...resultBody, plan_text: planText })

/** The result of each stack of a run, with a token of its own. */
export const resultRequests = (
  { runId, keys }: { runId: string; keys: string[] },
  mint: () => Promise<string>,
): Promise<Request[]> =>
  Promise.all(
    keys.map(async (key) => ({
      path: `/v1/runs/${runId}/stacks/${encodeURIComponent(key)}/result`,
      headers: { authorization: `Bearer ${await mint()}` },
      body: result,
    })),
  )

/** Deliveries of a pull request, each with its own id; of the one given, or of one of a repository that nobody knows. */
export const deliveryRequests = (count: number, bytes: number, secret: string, of?: PullRequest): Request[] => {
  const body = pullRequestPayload(bytes, of)
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  return Array.from({ length: count }, () => {
    const headers = { 'x-github-event': 'pull_request', 'x-github-delivery': randomUUID() }
    return { path: '/webhooks/codehost', headers: { ...headers, 'x-hub-signature-256': signature }, body }
  })
}
