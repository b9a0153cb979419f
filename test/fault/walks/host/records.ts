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
  /** Whether its policy has a window that holds waves: it is long over, but for steps that let it last. */
  hasWindow: boolean
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

/** A pull request needs nobody's approval: who may what is not what walks are about. */
const policyWith = (windows: readonly object[]): string =>
  JSON.stringify({ version: 1, apply: { approvals: 0, windows } })

const windowUntil = (year: number): string =>
  policyWith([{ deny: `2020-01-01T00:00..${year}-01-01T00:00`, hold: 'waves' }])

/** Lets the window last while something is done. */
export const withinWindow = async (repository: HostRepository, work: () => Promise<void>): Promise<void> => {
  repository.policy = windowUntil(2100)
  try {
    await work()
  } finally {
    repository.policy = windowUntil(2021)
  }
}

/** Every other four have a window: as many as there are graphs (take-walk.ts). */
const isWithWindow = (index: number): boolean => Math.floor(index / 4) % 2 === 1

export const makeRepository = (index: number): HostRepository => ({
  id: 1000 + index,
  installationId: 5000 + index,
  owner: `org-${index}`,
  name: 'infra',
  hasWindow: isWithWindow(index),
  policy: isWithWindow(index) ? windowUntil(2021) : policyWith([]),
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
