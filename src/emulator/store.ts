import type { Issue, Membership, Reaction, Review, Team } from './people-records.ts'
import type {
  Account,
  CheckRun,
  CheckSuite,
  Comment,
  Delivery,
  Installation,
  InstallationToken,
  PullRequest,
  Repository,
  Workflow,
  WorkflowJob,
  WorkflowRun,
} from './records.ts'

/** The emulator's whole memory: one map a kind, in order of making. */
export type Store = ReturnType<typeof createStore>

/**
 * Ids start above 2³¹: ids of workflow runs and comments passed it on GitHub long ago, and a column or a parser that is too
 * narrow must fail here.
 */
const firstId = 3_000_000_001

export const createStore = () => {
  let nextId = firstId
  return {
    newId: (): number => nextId++,
    /** By login in lower case, since logins are compared without case. */
    accounts: new Map<string, Account>(),
    installations: new Map<number, Installation>(),
    tokens: new Map<string, InstallationToken>(),
    repositories: new Map<number, Repository>(),
    pulls: new Map<number, PullRequest>(),
    issues: new Map<number, Issue>(),
    comments: new Map<number, Comment>(),
    reactions: new Map<number, Reaction>(),
    reviews: new Map<number, Review>(),
    teams: new Map<number, Team>(),
    /** Members of organisations: organisation, then login in lower case. */
    members: new Map<Account, Map<string, Membership>>(),
    checkSuites: new Map<number, CheckSuite>(),
    checkRuns: new Map<number, CheckRun>(),
    workflows: new Map<number, Workflow>(),
    workflowRuns: new Map<number, WorkflowRun>(),
    jobs: new Map<number, WorkflowJob>(),
    deliveries: new Map<number, Delivery>(),
  }
}

/** The account of a login, created at the first mention: people need no sign-up here. A bot is recognised by its login. */
export const accountOf = (store: Store, login: string, type: Account['type'], now: Date): Account => {
  const known = store.accounts.get(login.toLowerCase())
  if (known) return known
  const kind = login.endsWith('[bot]') ? 'Bot' : type
  const account: Account = { id: store.newId(), login, type: kind, createdAt: now }
  store.accounts.set(login.toLowerCase(), account)
  return account
}

export const findRepository = (store: Store, owner: string, name: string): Repository | undefined => {
  const wanted = `${owner}/${name}`.toLowerCase()
  return [...store.repositories.values()].find((repository) => fullName(repository).toLowerCase() === wanted)
}

/** By owner/name; throws if there is none. */
export const repositoryNamed = (store: Store, name: string): Repository => {
  const [owner = '', repo = ''] = name.split('/')
  const found = findRepository(store, owner, repo)
  if (!found) throw new Error(`there is no repository ${name}`)
  return found
}

/** The repository that had a name before a rename or transfer. */
export const findMovedRepository = (store: Store, owner: string, name: string): Repository | undefined =>
  [...store.repositories.values()].find((repository) => repository.formerNames.has(`${owner}/${name}`.toLowerCase()))

export const fullName = (repository: Repository): string => `${repository.owner.login}/${repository.name}`

export const findPull = (store: Store, repository: Repository, number: number): PullRequest | undefined =>
  [...store.pulls.values()].find((pull) => pull.repository === repository && pull.number === number)

/** The installation that sees a repository: at most one, since there is one app. */
export const installationOn = (store: Store, repository: Repository): Installation | undefined =>
  [...store.installations.values()].find((installation) => sees(installation, repository))

export const sees = (installation: Installation, repository: Repository): boolean =>
  installation.account === repository.owner &&
  (installation.repositoryIds === undefined || installation.repositoryIds.has(repository.id))

export const repositoriesOf = (store: Store, installation: Installation): Repository[] =>
  [...store.repositories.values()].filter((repository) => sees(installation, repository))

/** The check suite of one app for one commit. */
export const suiteOf = (
  store: Store,
  wanted: { repository: Repository; app: CheckSuite['app']; headSha: string; headBranch: string | null; now: Date },
): CheckSuite => {
  const { repository, app, headSha, headBranch, now } = wanted
  const known = [...store.checkSuites.values()].find(
    (suite) => suite.repository === repository && suite.app === app && suite.headSha === headSha,
  )
  if (known) return known
  const suite: CheckSuite = { id: store.newId(), repository, app, headSha, headBranch, createdAt: now }
  store.checkSuites.set(suite.id, suite)
  return suite
}

/** The author that an account's commits carry. */
export const identity = (account: Account): { name: string; email: string } => ({
  name: account.login,
  email: `${account.id}+${account.login}@users.noreply.github.invalid`,
})

export const reactionsTo = (store: Store, comment: Comment): Reaction[] =>
  [...store.reactions.values()].filter((reaction) => reaction.comment === comment)
