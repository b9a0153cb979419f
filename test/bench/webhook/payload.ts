import { readFileSync } from 'node:fs'

const examples = new URL('../../../node_modules/@octokit/webhooks-examples/api.github.com/index.json', import.meta.url)

type Branch = { repo?: unknown }

/** By the repository's number, and its own. */
export type PullRequest = { repository: number; number: number }

/**
 * A pull request's delivery as GitHub documents it, of about the given length: its text fills up what is missing; if it is
 * too long (21 KB as documented), the two repositories of its branches are left out.
 */
export const pullRequestPayload = (bytes: number, of?: PullRequest): string => {
  const events = JSON.parse(readFileSync(examples, 'utf8')) as { name: string; examples: Record<string, unknown>[] }[]
  const [example] = events.find(({ name }) => name === 'pull_request')?.examples ?? []
  const payload: Record<string, unknown> = { ...example, ...(of && newsOf(of, example?.repository as object)) }
  const pullRequest = {
    ...(payload.pull_request as { body: string; head: Branch; base: Branch }),
    body: '',
    ...(of && { number: of.number }),
  }
  if (JSON.stringify(payload).length > bytes) {
    pullRequest.head = { ...pullRequest.head, repo: null }
    pullRequest.base = { ...pullRequest.base, repo: null }
  }
  const missing = bytes - JSON.stringify({ ...payload, pull_request: pullRequest }).length
  const line = 'Moves the "edge" subnets into the shared network module.\n'
  pullRequest.body = line.repeat(Math.max(0, Math.ceil(missing / (line.length + 3))))
  return JSON.stringify({ ...payload, pull_request: pullRequest })
}

const newsOf = ({ repository, number }: PullRequest, known: object): object => ({
  action: 'synchronize',
  number,
  repository: { ...known, id: repository },
})
