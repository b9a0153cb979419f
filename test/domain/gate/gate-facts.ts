import type { Test } from 'tap'
import { parseRepoConfig } from '#domain/config/config-file.ts'
import { coveredPaths } from '#domain/gate/covered-paths.ts'
import {
  evaluateGate,
  type GateFacts,
  type Layer,
  type LayerReport,
  type PullFacts,
} from '#domain/gate/evaluate-gate.ts'
import { finish } from '#domain/steps.ts'

export const HEAD = 'beef001'.padEnd(40, '0')
export const OLD = '0dd5ff1'.padEnd(40, '0')

export const policy = (apply: Record<string, unknown>) =>
  parseRepoConfig(JSON.stringify({ version: 1, apply: { ...strict, ...apply } }))

const strict = {
  mode: 'comment',
  approvals: 1,
  code_owners: true,
  four_eyes: true,
  mergeable: true,
  teams: ['sre', 'partner/ops'],
  checks: ['cost'],
}

const changedPaths = ['app/main.tf', 'db/main.tf', 'README.md']

/** Paths that are changed, where the file has these lines. */
export const owning = (paths: readonly string[], ...lines: string[]) => ({
  changedPaths: paths,
  codeOwners: { path: '.github/CODEOWNERS', covered: finish(coveredPaths(lines.join('\n'), paths)) },
})

/** The file with these lines, for the paths that are changed unless a case says otherwise. */
export const owners = (...lines: string[]) => owning(changedPaths, ...lines).codeOwners

export type Review = PullFacts['reviews'][number]

export const review = (login: string | null, state: string, more: Partial<Review> = {}): Review => ({
  login,
  bot: false,
  state,
  commitId: HEAD,
  ...more,
})

export const check = (name: string, status: 'pass' | 'fail' | 'warn', summary?: string) => ({
  name,
  status,
  ...(summary !== undefined && { summary }),
})

type Plan = NonNullable<PullFacts['plan']>

export const stack = (key: string, more: Partial<Plan['stacks'][number]> = {}) => ({
  key,
  status: 'planned' as const,
  checks: [check('cost', 'pass')],
  ...more,
})

export const plan = (more: Partial<Plan> = {}): Plan => ({
  runId: 'run-1',
  sha: HEAD,
  status: 'planned',
  stacks: [stack('app'), stack('db', { status: 'noop' })],
  ...more,
})

/** A pull request by ann that rob asks to apply, approved by olga: every requirement is switched on, and met. */
export const facts = (change: Partial<PullFacts> = {}): PullFacts => ({
  how: 'comment',
  policy: policy({}),
  owner: 'acme',
  requester: 'rob',
  askedSha: HEAD,
  pull: {
    number: 7,
    author: 'ann',
    headSha: HEAD,
    state: 'open',
    merged: false,
    draft: false,
    fork: false,
    baseRef: 'main',
    defaultBranch: 'main',
    mergeable: true,
    mergeableState: 'clean',
  },
  reviews: [review('olga', 'APPROVED')],
  pusher: { login: 'ann', sha: 'beef001' },
  permissions: [
    { login: 'ann', permission: 'admin' },
    { login: 'rob', permission: 'write' },
    { login: 'olga', permission: 'write' },
    { login: 'renovate', permission: 'write' },
    { login: 'reader', permission: 'read' },
  ],
  memberships: [
    { team: 'acme/sre', login: 'rob', member: true },
    { team: 'partner/ops', login: 'rob', member: false },
    { team: 'acme/owners', login: 'olga', member: true },
  ],
  changedPaths,
  codeOwners: owners('*.tf @acme/owners', '/db/ @olga', 'README.md'),
  plan: plan(),
  locks: [{ stackKey: 'app', runId: 'run-0', prNumber: 7 }],
  otherApply: null,
  ...change,
})

/** The facts with another pull request. */
export const pulled = (pull: Partial<PullFacts['pull']>): PullFacts => {
  const base = facts()
  return { ...base, pull: { ...base.pull, ...pull } }
}

export const layerOf = (given: Parameters<typeof evaluateGate>[0], layer: Layer): LayerReport =>
  evaluateGate(given).layers.find((report) => report.layer === layer)!

/** `pass`, or `fail: approvals`: a layer's verdict and the names of its failures. */
export const said = (given: Parameters<typeof evaluateGate>[0], layer: Layer): string => {
  const { verdict, failures } = layerOf(given, layer)
  return [verdict, failures.map(({ name }) => name).join(' ')].filter((part) => part !== '').join(': ')
}

/** What the case is about, the verdict with the names of its failures, and what the first of them says. */
type Case = readonly [about: string, given: GateFacts, says: string, reason?: RegExp]

/** The rows of one layer. */
export const table = (t: Test, layer: Layer, cases: readonly Case[]): void => {
  for (const [about, given, says, reason] of cases) {
    t.equal(said(given, layer), says, about)
    if (reason !== undefined) t.match(layerOf(given, layer).failures[0]?.reason, reason, about)
  }
}
