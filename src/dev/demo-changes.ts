/** An edit of one file: `find` occurs in it exactly once and is replaced. */
export type Edit = { path: string; find: string; replace: string }

/** A pull request of the demo's repository: its title, and what it changes on the default branch. */
export type DemoChange = { branch: string; title: string; edits: readonly Edit[] }

const costCentre = (number: string): Edit => ({
  path: 'modules/labels/main.tf',
  find: '    environment = var.environment\n    managed_by',
  replace: `    cost_centre = "${number}"\n    environment = var.environment\n    managed_by`,
})

const cacheNodes = (memory: string): Edit => ({
  path: 'data/cache/main.tf',
  find: 'memory = "2Gi"',
  replace: `memory = "${memory}"`,
})

const release = {
  branch: 'release-42',
  title: 'Release 42: worker 4.3 with a larger cache, storefront 7.2 on staging',
  edits: [
    { path: 'apps/worker/production.tfvars', find: '4.2.0', replace: '4.3.0' },
    { path: 'apps/storefront/staging.tfvars', find: '7.1.0', replace: '7.2.0' },
  ],
} as const

/** The pull requests that the demo may open; each is recorded for the stand-in tool to plan. */
export const demoChanges = {
  /** A module that all stacks use: twelve plans in three waves. */
  label: {
    branch: 'label-cost-centre',
    title: 'Label everything with its cost centre',
    edits: [costCentre('4711')],
  },
  /** A second push to the same branch, which supersedes the first run. */
  labelAgain: {
    branch: 'label-cost-centre',
    title: 'Label everything with its cost centre',
    edits: [costCentre('4712')],
  },
  /** One stack changes; the stacks that read its state are planned after it. */
  thirdZone: {
    branch: 'third-zone',
    title: 'Spread the network over a third zone',
    edits: [{ path: 'platform/network/main.tf', find: '["a", "b"]', replace: '["a", "b", "c"]' }],
  },
  /** Replaces a resource that cannot be changed in place. */
  kubernetes: {
    branch: 'kubernetes-1-34',
    title: 'Move the cluster to Kubernetes 1.34',
    edits: [{ path: 'platform/cluster/main.tf', find: '"1.33"', replace: '"1.34"' }],
  },
  /** Only one instance of a directory: a var file of staging. */
  storefront: {
    branch: 'storefront-7-2',
    title: 'Try storefront 7.2 on staging',
    edits: [
      { path: 'apps/storefront/staging.tfvars', find: '7.1.0', replace: '7.2.0' },
      { path: 'apps/storefront/staging.tfvars', find: 'replicas  = 1', replace: 'replicas  = 2' },
    ],
  },
  /** A file outside the directory, watched by the stack. */
  rota: {
    branch: 'rota',
    title: 'Put Barbara on call',
    edits: [{ path: 'oncall/rota.yml', find: '[linus, margaret]', replace: '[margaret, barbara]' }],
  },
  /** The network would have to come after the stack that reads its state. */
  cycle: {
    branch: 'cycle',
    title: 'Let the network wait for the worker',
    edits: [
      {
        path: 'svc.yml',
        find: '  - match: platform/registry\n',
        replace: '  - match: platform/network\n    depends_on: [apps/worker]\n  - match: platform/registry\n',
      },
      { path: 'platform/network/main.tf', find: '10.20.0.0/16', replace: '10.20.0.0/15' },
    ],
  },
  /** A configuration that would leave out the very stack that the pull request changes. */
  hide: {
    branch: 'hide-the-database',
    title: 'Grow the database, unseen',
    edits: [
      { path: 'svc.yml', find: '["modules/**"]', replace: '["modules/**", "data/**"]' },
      { path: 'data/database/main.tf', find: 'default = 200', replace: 'default = 400' },
    ],
  },
  /** Three stacks that build on each other, and all stacks that depend on them. */
  sale: {
    branch: 'autumn-sale',
    title: 'Make room for the autumn sale',
    edits: [
      {
        path: 'platform/identity/main.tf',
        find: '    auditor  = ["logs:read"]\n',
        replace: '    auditor  = ["logs:read"]\n    scaler   = ["nodes:add", "nodes:remove"]\n',
      },
      { path: 'platform/cluster/main.tf', find: 'general = 3', replace: 'general = 8' },
      {
        path: 'observability/alerts/main.tf',
        find: '    people = each.value\n',
        replace: '    people = each.value\n    after  = "5m"\n',
      },
    ],
  },
  /** Nodes larger than any there are, which only an apply can find out. */
  release: { ...release, edits: [cacheNodes('16Gi'), ...release.edits] },
  /** The second push to its branch: nodes that exist. */
  releaseAgain: { ...release, edits: [cacheNodes('4Gi'), ...release.edits] },
  /** One stack with a slow apply. */
  repository: {
    branch: 'batch-images',
    title: 'Add a repository for the images of batch jobs',
    edits: [
      {
        path: 'platform/registry/main.tf',
        find: '["storefront", "worker"]',
        replace: '["batch", "storefront", "worker"]',
      },
    ],
  },
  /** Nothing that a plan would show. */
  readme: {
    branch: 'readme',
    title: 'Say who to ask',
    edits: [{ path: 'README.md', find: 'in the comment.\n', replace: 'in the comment. Ask in #platform.\n' }],
  },
} as const satisfies Record<string, DemoChange>
