import { defaultConfig } from '#domain/config/config-file.ts'
import type { Graph } from '#domain/graph/graph.ts'
import { trimEndOf } from '#domain/texts/trim.ts'
import type { Tool } from './find-tools.ts'

export type Found = {
  stacks: readonly Pick<Graph['stacks'][number], 'key'>[]
}

const SHOWN = 20

/** YAML reads any JSON text as that text, whatever a directory is called. */
const quoted = (key: string): string => (/^[A-Za-z][\w./-]*$/.test(key) ? key : JSON.stringify(key))

const listed = (stacks: Found['stacks']): string => {
  if (stacks.length === 0)
    return '# No directory is a stack yet. One with a backend block is, or one that declares something.'
  const more = stacks.length > SHOWN ? [`# * and ${stacks.length - SHOWN} more: svc scan --format=table`] : []
  const lines = stacks.slice(0, SHOWN).map(({ key }) => `# * ${quoted(key)}`)
  return [`# Directories that are stacks now:`, ...lines, ...more].join('\n')
}

/** A first line that editors with a language server for YAML go by. Without an address it would be looked for in vain. */
const schemaLine = (serviceUrl: string | undefined): string =>
  serviceUrl === undefined
    ? `# Editors complete and check this file once a first line names the schema, at the service's own address:
# "# yaml-language-server: $schema=https://svc.example.com/svc.schema.json"
#`
    : `# yaml-language-server: $schema=${trimEndOf(serviceUrl, '/')}/svc.schema.json`

/**
 * The first svc.yml of a repository: valid as it is, and also with each key that is commented out. `# ` begins an explanation,
 * `#` alone a line that may be uncommented.
 */
export const firstConfig = ({
  tool,
  stacks,
  serviceUrl,
}: Found & { tool: Tool; serviceUrl: string | undefined }): string => {
  const [first, second] = stacks.map(({ key }) => quoted(key))
  const { apply, locks } = defaultConfig
  return `${schemaLine(serviceUrl)}
# How svc takes the stacks of this repository through pull requests. \`svc validate\` checks this file, \`svc order\` prints
# the waves it makes. A line that is commented out is an example, or the default if its comment says so.
version: 1

# terraform, tofu or terragrunt; a stack may have its own, and a directory with a terragrunt.hcl always has terragrunt. Its
# version comes from .terraform-version, .opentofu-version, .terragrunt-version or .tool-versions.
tool: ${tool}
#tool_version: "1.11.4"

${listed(stacks)}
# Globs of the directories to take, and to leave out.
#discover:
#  include: ["**"]
#  exclude: ["examples/**"]

# Changed paths that affect nothing.
#ignore: ["**/*.md"]

# Further settings of stacks. Every entry that matches counts, later ones win. Where one stack reads another's state is found
# without an entry.
#stacks:
#  - match: ${first ?? 'network'}
#    environment: production
#    watch_paths: ["shared/*.tfvars"]
#  - match: ${second ?? 'app'}
#    depends_on: [${first ?? 'network'}]
#    instances:
#      staging: { workspace: staging, var_files: [staging.tfvars] }
#      live: { workspace: live, var_files: [live.tfvars] }

# What an apply needs; these are the defaults. Only the default branch's copy of this part counts.
#apply:
#  mode: ${apply.mode}
#  approvals: ${apply.approvals}
#  code_owners: ${apply.code_owners}
#  four_eyes: ${apply.four_eyes}
#  teams: []

# Commands run on each plan, whose JSON is in the file SVC_PLAN_JSON.
#checks:
#  - { name: policy, run: conftest test "$SVC_PLAN_JSON" }

# When to look for drift (cron, UTC), and whether each stack that drifted gets an issue.
#drift:
#  schedule: "0 5 * * 1-5"
#  issues: true

# After how long the holder of a lock is reminded; this is the default.
#locks:
#  remind_after: ${locks.remind_after}
`
}
