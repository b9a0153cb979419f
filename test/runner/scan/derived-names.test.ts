import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parseRepoConfig, type RepoConfig } from '#domain/config/config-file.ts'
import { resolve } from '#domain/resolution/resolve.ts'
import { scanRepository } from '#runner/scan/scan-repository.ts'
import { type Tree, writeTree } from './scan-tree.ts'

/* A repository that derives names from its paths: 175 directories with 504 instances, which twenty lines of svc.yml describe. */

const text = `version: 1
discover: { include: ["live/**"] }
stacks:
  - match: live/**
    instances: { from: "env/*.tfvars" }
    workspace: "{dir}-{name}-{instance}"
    environment: "{instance}"
    var_files: [../../common.tfvars, "env/{instance}.tfvars"]
    backend_config: ["../../backend/{instance}.hcl", "key={path}.tfstate"]
    watch_paths: ["policies/{dir}/**"]
    depends_on: ["tag:platform"]
  - match: live/platform/*
    tags: [platform]
    depends_on: [live/platform/network]
  - match: live/platform/network
    depends_on: []
  - match: live/team-0/*
    tool_version: "1.9.0"
`

const main = 'terraform {\n  backend "s3" {}\n}\n'

const directory = (path: string, instances: string[]): Tree => ({
  [`${path}/main.tf`]: main,
  ...Object.fromEntries(instances.map((name) => [`${path}/env/${name}.tfvars`, `name = "${name}"\n`])),
})

const numbered = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

const tree: Tree = Object.assign(
  { 'svc.yml': text, 'live/common.tfvars': '' },
  ...['dev', 'staging', 'production'].map((name) => ({ [`live/backend/${name}.hcl`]: `bucket = "state-${name}"\n` })),
  ...['network', ...numbered(20, (at) => `base-${at}`)].map((name) =>
    directory(`live/platform/${name}`, ['staging', 'production']),
  ),
  ...numbered(154, (at) => directory(`live/team-${at % 7}/app-${at}`, ['dev', 'staging', 'production'])),
)

const configOf = (yaml: string): RepoConfig => {
  const parsed = parseRepoConfig(yaml)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.config
}

const scanned = (dir: string, yaml = text) =>
  scanRepository({ dir, repo: 'acme/infra', sha: 'a'.repeat(40), config: configOf(yaml) })

t.test('twenty lines say what 504 stacks are', async (t) => {
  const dir = t.testdir()
  writeTree(dir, tree)
  const { graph, warnings } = await scanned(dir)
  t.ok(text.trimEnd().split('\n').length <= 20)
  t.same(warnings, [])
  t.equal(graph.stacks.length, 504)
  t.equal(new Set(graph.stacks.map(({ path }) => path)).size, 175)
  t.equal(new Set(graph.stacks.map(({ workspace }) => workspace)).size, 504, 'each has a workspace of its own')
  const places = new Set(
    graph.stacks.map(({ backend, workspace }) => `${backend?.bucket} ${backend?.key} ${workspace}`),
  )
  t.equal(places.size, 504, 'and a place for its state')
  t.match(
    graph.stacks.find(({ key }) => key === 'live/team-3/app-10:production'),
    {
      workspace: 'team-3-app-10-production',
      environment: 'production',
      backend: {
        type: 's3',
        bucket: 'state-production',
        key: 'env:/team-3-app-10-production/live/team-3/app-10.tfstate',
      },
      watch_paths: ['policies/team-3/**', 'live/common.tfvars', 'live/backend/production.hcl'],
    },
  )

  const config = configOf(text)
  const { waves, cycles } = resolve({ graph, config, changedPaths: ['live/common.tfvars'] })
  t.same([waves.map((wave) => wave.length), cycles], [[2, 40, 462], []])
  const one = resolve({ graph, config, changedPaths: ['live/team-3/app-10/env/dev.tfvars'] })
  t.same(one.waves, [['live/team-3/app-10:dev']], 'a file of one instance plans one')

  writeFileSync(join(dir, 'live/team-3/app-10/env/canary.tfvars'), '')
  const { graph: after } = await scanned(dir)
  t.equal(after.stacks.length, 505, 'a file more is an instance more')
})
