/** What the code host of the walks remembers: no files and no commits, only what the service asks for. */
export type HostPull = {
  number: number
  state: 'open' | 'closed'
  mergedAt: string | null
  headSha: string
  headRef: string
}

export type HostWorkflowRun = {
  id: number
  event: 'workflow_dispatch' | 'pull_request'
  title: string
  path: string
  attempt: number
  status: 'queued' | 'completed'
  conclusion: string | null
  inputs: Readonly<Record<string, string>>
  /** Lists do not have it: they lag behind. */
  isUnlisted?: boolean
  createdAt: string
}

/**
 * How the next request that matches goes wrong. `lost`: it is carried out, and its answer never arrives. `unlisted`: nor do lists
 * have the workflow run that it starts.
 */
export type HostFault = {
  method: string
  path: RegExp
  effect: { status: number; message: string } | 'lost' | 'unlisted'
}

export type HostRepository = {
  id: number
  installationId: number
  owner: string
  name: string
  /** The default branch's svc.yml. */
  policy: string
  pulls: Map<number, HostPull>
  workflowRuns: Map<number, HostWorkflowRun>
  /** By commit. */
  checkRuns: Map<string, { id: number; name: string; external_id: string | null }[]>
  /** The app's own, by number of the pull request. */
  comments: Map<number, { id: number; body: string; performed_via_github_app: { id: number } }[]>
  faults: HostFault[]
  /** Runs of walks that are over: a timer of theirs may still ring, and no fault of a later walk is meant for them. */
  over: Set<string>
  lastNumber: number
}

export const fullNameOf = ({ owner, name }: HostRepository): string => `${owner}/${name}`

let lastId = 3_000_000_000
/** Unlike any other of this process. */
export const newId = (): number => {
  lastId += 1
  return lastId
}

/** A new commit: it has no content. */
export const newSha = (): string => newId().toString(16).padStart(40, 'c0ffee')

export const makeRepository = (index: number, policy: object): HostRepository => ({
  id: 1000 + index,
  installationId: 5000 + index,
  owner: `org-${index}`,
  name: 'infra',
  policy: JSON.stringify(policy),
  pulls: new Map(),
  workflowRuns: new Map(),
  checkRuns: new Map(),
  comments: new Map(),
  faults: [],
  over: new Set(),
  lastNumber: 0,
})

/** Nothing of a walk that is over is asked for again. */
export const forget = (repository: HostRepository, runs: readonly { id: string }[]): void => {
  for (const { id } of runs) repository.over.add(id)
  for (const kept of [repository.pulls, repository.workflowRuns, repository.checkRuns, repository.comments])
    kept.clear()
  repository.faults.length = 0
}
