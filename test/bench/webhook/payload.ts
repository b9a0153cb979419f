import { readFileSync } from 'node:fs'

const example = new URL('../../../node_modules/@octokit/webhooks-examples/api.github.com/index.json', import.meta.url)

type Branch = { repo?: unknown }

/**
 * A pull request's delivery as GitHub documents it, of about the given length: its text fills up what is missing; if it is
 * too long (21 KB as documented), the two repositories of its branches are left out.
 */
export const pullRequestPayload = (bytes: number): string => {
  const events = JSON.parse(readFileSync(example, 'utf8')) as { name: string; examples: Record<string, unknown>[] }[]
  const [payload] = events.find(({ name }) => name === 'pull_request')?.examples ?? []
  const pullRequest = { ...(payload?.pull_request as { body: string; head: Branch; base: Branch }), body: '' }
  if (JSON.stringify(payload).length > bytes) {
    pullRequest.head = { ...pullRequest.head, repo: null }
    pullRequest.base = { ...pullRequest.base, repo: null }
  }
  const missing = bytes - JSON.stringify({ ...payload, pull_request: pullRequest }).length
  const line = 'Moves the "edge" subnets into the shared network module.\n'
  pullRequest.body = line.repeat(Math.max(0, Math.ceil(missing / (line.length + 3))))
  return JSON.stringify({ ...payload, pull_request: pullRequest })
}
