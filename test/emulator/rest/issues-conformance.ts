import type { PullRequestHandle, RepositoryHandle } from '#emulator/handles.ts'
import type { expectingBy } from '../expecting.ts'

const repo = '/repos/{owner}/{repo}'

/** Asks every operation on issues, in a repository that has a pull request too. */
export const askIssues = async (
  expecting: ReturnType<typeof expectingBy>,
  repository: RepositoryHandle,
  pull: PullRequestHandle,
): Promise<void> => {
  const list = { path: `${repo}/issues` }
  const made = (await expecting(201, { ...list, method: 'POST', body: { title: 'It drifted', body: 'so' } })) as {
    number: number
  }
  await expecting(422, { ...list, method: 'POST', body: { body: 'without a title' } })
  await expecting(422, { ...list, method: 'POST', body: { title: 'long', body: 'x'.repeat(65_537) } })
  await expecting(200, { ...list, query: '?state=all&since=2020-01-01T00:00:00Z' })
  const one = { path: `${repo}/issues/{issue_number}`, params: { issue_number: made.number } }
  await expecting(200, one)
  await expecting(200, {
    ...one,
    method: 'PATCH',
    body: { body: 'no more', state: 'closed', state_reason: 'completed' },
  })
  await expecting(200, { ...one, method: 'PATCH', body: { state: 'open', state_reason: 'reopened' } })
  await expecting(422, { ...one, method: 'PATCH', body: { state: 'gone' } })
  await expecting(404, { ...one, params: { issue_number: 999 } })
  await expecting(200, { ...one, params: { issue_number: pull.number } })
  repository.issues().at(-1)!.transfer('acme/infra')
  await expecting(200, { ...one, method: 'PATCH', body: { body: 'follows' } })
  repository.issues().at(-1)!.delete()
  await expecting(410, { ...one, params: { issue_number: made.number + 1 } })
  repository.setIssues(false)
  await expecting(410, { ...list, method: 'POST', body: { title: 'no' } })
  repository.setIssues(true)
}
