import type { Issue } from '#emulator/people-records.ts'
import type { Account, Repository } from '#emulator/records.ts'
import { accountOf, repositoryNamed } from '#emulator/store.ts'
import type { World } from '#emulator/world.ts'

/** Opens an issue. No webhook reports issues: the app does not ask for them. */
export const openIssue = (
  world: World,
  repository: Repository,
  wanted: { title: string; body: string | null; author: Account; viaApp: boolean },
): Issue => {
  const now = world.clock()
  repository.lastNumber += 1
  const issue: Issue = {
    ...wanted,
    id: world.store.newId(),
    repository,
    number: repository.lastNumber,
    state: 'open',
    stateReason: null,
    createdAt: now,
    updatedAt: now,
    closedAt: null,
    closedBy: null,
    moved: undefined,
  }
  world.store.issues.set(issue.id, issue)
  return issue
}

export type IssueChange = Partial<Pick<Issue, 'title' | 'body' | 'state' | 'stateReason'>>

/** The reason counts only if the state changes; an issue closed without one is completed. */
export const changeIssue = (world: World, issue: Issue, by: Account, change: IssueChange): void => {
  const { state = issue.state, stateReason, ...text } = change
  const now = world.clock()
  Object.assign(issue, text, { updatedAt: now })
  if (state === issue.state) return
  const closes = state === 'closed'
  Object.assign(issue, { state, closedAt: closes ? now : null, closedBy: closes ? by : null })
  issue.stateReason = closes ? (stateReason ?? 'completed') : 'reopened'
}

/** Moves an issue to another repository, under a new number there. */
const transferIssue = (world: World, issue: Issue, to: Repository): Issue => {
  const { title, body, author, viaApp } = issue
  const there = openIssue(world, to, { title, body, author, viaApp })
  issue.moved = there
  return there
}

/** What people do with an issue, by login. */
export type IssueHandle = {
  number: number
  now(): Readonly<Issue>
  close(by: string): void
  reopen(by: string): void
  edit(body: string, by: string): void
  /** Permanently: an administrator's right. */
  delete(): void
  /** To another repository, by owner/name. */
  transfer(to: string): IssueHandle
}

const issueHandle = (world: World, issue: Issue): IssueHandle => {
  const change = (login: string, what: IssueChange): void =>
    changeIssue(world, issue, accountOf(world.store, login, 'User', world.clock()), what)
  return {
    number: issue.number,
    now: () => ({ ...issue }),
    close: (login) => change(login, { state: 'closed', stateReason: 'not_planned' }),
    reopen: (login) => change(login, { state: 'open' }),
    edit: (body, login) => change(login, { body }),
    delete: () => {
      issue.moved = 'deleted'
    },
    transfer: (to) => issueHandle(world, transferIssue(world, issue, repositoryNamed(world.store, to))),
  }
}

/** The issues now in a repository, oldest first. */
export const issueHandles = (world: World, repository: Repository): IssueHandle[] =>
  [...world.store.issues.values()]
    .filter((issue) => issue.repository === repository && issue.moved === undefined)
    .map((issue) => issueHandle(world, issue))
