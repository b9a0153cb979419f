import { writeFile } from 'node:fs/promises'
import { configFileName } from '#domain/config/config-file.ts'
import { configJsonSchema, type JsonSchema, plainJsonSchema } from '#domain/config/config-json-schema.ts'
import * as values from '#domain/config/config-values.ts'
import { AddressGlob, Amount } from '#domain/config/rule-keys.ts'
import { TimeRange, TimeZone } from '#domain/config/window-keys.ts'
import { discoverSchemaText } from './discover-schema.ts'

const row = (cells: string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``)

/** YAML reads JSON; a text of letters needs no quotes. */
const yaml = (value: unknown): string => {
  if (typeof value === 'string' && /^[a-z][\w.-]*$/i.test(value)) return value
  if (Array.isArray(value)) return `[${value.map(yaml).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{ ${Object.entries(value)
    .map(([key, one]) => `${key}: ${yaml(one)}`)
    .join(', ')} }`
}

/** `list or map` → `lists or map`. */
const plural = (title: string): string => {
  const [first, ...others] = title.split(' or ')
  return [`${first}s`, ...others].join(' or ')
}

const kind = (title: string): string => `[${title}](#values)`

const typeOf = (schema: JsonSchema, path: string): string => {
  if (fieldsOf(schema) === undefined) return kindOf(schema)
  return `${schema.items === undefined ? 'keys' : 'a list'} as in [${path}](#${path.replaceAll('.', '')})`
}

const fieldsOf = ({ properties, items }: JsonSchema): JsonSchema['properties'] => items?.properties ?? properties

const kindOf = ({
  type,
  const: only,
  enum: all,
  minimum,
  maximum,
  items,
  title,
  propertyNames,
}: JsonSchema): string => {
  if (only !== undefined) return code(String(only))
  if (all !== undefined) return all.map((one) => code(String(one))).join(', ')
  if (items?.title !== undefined) return `list of [${plural(items.title)}](#values)`
  if (propertyNames?.title === 'variable name') return 'map of [variable names](#values) to text'
  if (propertyNames?.title !== undefined)
    return `map of [${plural(propertyNames.title)}](#values) to ${instanceKeys}; and \`from\`, a [path with a star](#values)`
  if (type === 'boolean') return '`true`, `false`'
  if (type === 'integer') return `${minimum} to ${maximum}`
  return kind(title ?? '')
}

const instanceKeys = '`workspace`, `environment`, `var_files`, `backend_config`, `watch_paths`'

const defaultOf = ({ default: given }: JsonSchema, isRequired: boolean): string => {
  if (isRequired) return 'required'
  return given === undefined ? 'none' : code(yaml(given))
}

/** Pages that a description names become links. */
const linked = (text: string): string => text.replaceAll(/docs\/([\w-]+\.md)/g, '[$1]($1)')

const table = (keys: [string, JsonSchema][], required: readonly string[], path = ''): string[] => [
  row(['key', 'values', 'default', 'what it does', 'example']),
  '|---|---|---|---|---|',
  ...keys.map(([key, schema]) => {
    const examples = (schema.examples ?? []).map((one) => code(`${key}: ${yaml(one)}`)).join('<br>')
    return row([
      code(key),
      typeOf(schema, `${path}${key}`),
      defaultOf(schema, required.includes(key)),
      schema.description ?? '',
      examples,
    ])
  }),
]

const group = ([key, schema]: [string, JsonSchema]): string[] => {
  const { properties = {}, required = [] } = schema.items ?? schema
  const keys = Object.entries(properties)
  return [
    `### ${key}`,
    '',
    linked(schema.description ?? ''),
    ...(schema.items === undefined ? [] : ['It is a list; each entry has these keys:']),
    '',
    ...table(keys, required, `${key}.`),
    '',
    ...keys.filter(isGroup).flatMap(([name, inner]) => group([`${key}.${name}`, inner])),
  ]
}

const isGroup = ([, schema]: [string, JsonSchema]): boolean => fieldsOf(schema) !== undefined

/** The kinds of text that keys have as values. */
const kinds = [
  ...[
    values.Glob,
    values.StackFile,
    values.BackendConfig,
    values.DependsOn,
    values.InstanceName,
    values.InstancesFrom,
    values.Version,
  ],
  ...[
    values.Environment,
    values.Workspace,
    values.Tag,
    values.Team,
    values.CheckName,
    values.CommandLine,
    values.ToolArgument,
  ],
  ...[values.VariableName, values.Cron, TimeRange, TimeZone, AddressGlob, Amount, values.ReminderDelay],
].map((schema) => schema.meta() ?? {})

const intro = `Made from the schema that checks the file by \`node src/dev/docs/svc-yml-docs.ts\`; not to be edited by hand.

\`${configFileName}\` at a repository's root says how its stacks are found, planned and applied. Everything has a default: a repository
without the file is treated as one with \`version: 1\` alone. An unknown key is a mistake, and the nearest known one is named. A key with
nothing after it means its default. \`svc validate\` checks the file and prints its problems with line and column, the first 50 of them, and
warns of what in it names nothing ([below](#what-names-nothing)); \`svc order\`
prints the waves that come of it, \`svc init\` writes a first one. Anchors, aliases and merge keys (\`<<: *base\`) are known. A file has at most 1 MB, 100,000 words and marks and 50 levels, and its
aliases stand for at most 10,000 values.

Editors complete and check it by the [JSON Schema](svc.schema.json), which each service serves at \`/svc.schema.json\`:

\`\`\`yaml
# yaml-language-server: $schema=https://svc.example.com/svc.schema.json
version: 1
\`\`\`

## Which branch counts

- **The default branch alone** says what an apply needs and may do, and who: \`apply\`, the environment of an apply, \`plan.teams\`, \`unlock\`,
  \`rerun\`, \`drift\`, \`locks\`, \`propagate\`. A \`plan_output: summary\` there always holds. An edit of these in a pull request counts once it is merged.
- **Both** decide what is planned. If a pull request's file differs from the default branch's, the graph is resolved under both, and
  stacks that are affected under either are planned: a pull request cannot hide a stack from its plan.
- **The default branch alone** says, too, what is run beside the tool: \`checks\`, and the hooks \`before_init\`, \`env\`, \`plan_args\` and
  \`apply_args\` ([checks.md](checks.md)).
- **The commit of the job** says how a stack is planned (\`workspace\`, \`var_files\`, \`tool_version\`, …).

While the file on the default branch is invalid nothing is applied: the gate refuses with the layer \`config\`. Of plans no text is kept, as
with \`plan_output: summary\`, since what it keeps back is not known. A comment tells the
pull request, and the audit log has \`config_invalid\`, once for each commit. Nor is it known then who may plan by a comment, unlock and run again: administrators of
the repository and API keys alone do.

## A whole file

\`\`\`yaml
version: 1
tool: tofu
tool_version: "1.9.0"
discover:
  include: ["infra/**"]
  exclude: ["infra/sandbox/**"]
ignore: ["**/*.md"]
stacks:
  - match: infra/**
    environment: production
    watch_paths: ["policies/**"]
  - match: infra/app
    depends_on: [infra/network]
    instances:
      eu: { workspace: eu, var_files: [eu.tfvars] }
      us: { workspace: us, var_files: [us.tfvars] }
apply:
  approvals: 2
  code_owners: true
  teams: [platform]
  checks: [policy]
checks:
  - name: policy
    run: conftest test "$SVC_PLAN_JSON"
drift:
  schedule: 0 4 * * mon-fri
  issues: true
locks:
  remind_after: 7d
propagate:
  cross_repo: plan
\`\`\`
`

const placeholders = `## Placeholders

Settings of stacks may name the stack: \`workspace\`, \`environment\`, \`var_files\`, \`backend_config\` and \`watch_paths\`, of an entry and of its
instances.

| placeholder | what it stands for | of \`live/eu/app:blue\` |
|---|---|---|
| \`{path}\` | the stack's path | \`live/eu/app\` |
| \`{name}\` | the last part of it | \`app\` |
| \`{dir}\` | the name of the directory above, \`.\` at the repository's root | \`eu\` |
| \`{instance}\` | the instance's name | \`blue\` |

What names the instance is left out for a stack that is none: a file of the list, or the setting. In a workspace each \`/\` of what is put in
becomes \`-\`; in a glob it stands for itself, wildcards too. Any other word in braces is a mistake; \`{{name}}\` is the text \`{name}\`, and braces
around anything but a word are left as they are: \`{eu,us}\` in a glob. A text has at most 16 placeholders.

\`\`\`yaml
stacks:
  - match: live/**
    workspace: "{dir}-{instance}"
    environment: "{instance}"
    var_files: ["env/{instance}.tfvars"]
    backend_config: ["key={path}/terraform.tfstate"]
    instances: { staging: , production: }
\`\`\`

The environment of an apply is made from the default branch's text and the stack's own path and name, so with \`{instance}\` a new instance
has the environment of its name. That environment's protection rules at the code host hold.
`

const instancesFrom = `## Instances from files

With \`instances: { from: "env/*.tfvars" }\` each file of that name makes an instance of each directory that the entry matches, and what the star
stands for is its name: \`live/app/env/blue.tfvars\` makes \`live/app:blue\`. The path begins at the stack's directory, may lead out of it (\`../\`)
and have placeholders other than \`{instance}\`.

- The file is not given to the tool by itself: \`var_files: ["env/{instance}.tfvars"]\` does that. A change of it affects its instance alone, unless
  others name it.
- Names beside \`from\` are instances, too, and settings of those that files make: \`instances: { from: "env/*.tfvars", blue: { environment: production } }\`.
- A directory without such a file has no stack then, which is warned of, and so is a file whose star cannot be a name, such as \`default\`. A later
  entry with \`instances: { }\` makes the directory itself a stack.
- A pull request that removes a file removes the instance: it is not planned, and a warning names it. One that only changes \`from\` hides
  nothing: instances of files that are still there are planned as the default branch says.
- A repository has at most 20,000 of them.
`

const namesNothing = `## What names nothing

A valid file may still name what is not there, and a misspelt \`match\` loses its environment without a word. \`svc validate\` scans the repository as
\`svc scan\` does and warns, at the line and column, of

- globs and directories of \`match\` and \`discover.include\` without a stack, of \`checks[].match\` without a stack's directory or key, and of
  \`instances.from\` without a file;
- keys, globs and tags of \`depends_on\` that name no stack. A stack of another repository is believed;
- \`watch_paths\` that match no file for any of their stacks, \`var_files\` and files of \`backend_config\` that are not in the repository, and \`ignore\` and
  \`discover.exclude\` where they begin with a directory that is not there (\`**/*.md\` may be for later);
- a workspace or an environment that is no name once its placeholders are replaced, \`{instance}\` in one where no stack is an instance, and an environment
  that no stack has, since another entry says which;
- rules of \`apply.rules\` that no stack takes by \`match\`, \`environment\` and \`tag\`;
- required checks that neither \`checks\` nor \`svc check\` in a workflow has, and teams of another organisation;
- what no apply can have: the verdict of a required check that is \`on: apply\`, or that is not for some of the stacks that need it; \`teams\` where merges
  apply, since nobody is asked then; and windows of \`apply.windows\` that are over, or that let no apply begin for 13 months.

Which teams, environments and branches there are, only the code host knows: they are not looked for. \`--strict\` takes the warnings for errors, \`--json\`
has all of them. The repository is the directory of a file that is called \`svc.yml\`, and for any other file the checkout that it is in; outside
of one, or where it cannot be scanned, a note says so and the file alone is judged. Without what \`discover.command\` lists, names of stacks are not judged.
`

/** docs/svc-yml.md, made from the schema of the file: a test compares the committed page with this text. */
export const svcYmlDocs = (): string => {
  const { properties = {}, required = [] } = plainJsonSchema()
  const keys = Object.entries(properties)
  return [
    `# ${configFileName}`,
    '',
    intro,
    '## Keys',
    '',
    ...table(
      keys.filter((key) => !isGroup(key)),
      required,
    ),
    '',
    ...keys.filter(isGroup).flatMap(group),
    placeholders,
    instancesFrom,
    namesNothing,
    '## Values',
    '',
    row(['value', 'what it is']),
    '|---|---|',
    ...kinds.map(({ title = '', description = '' }) => row([title, description])),
    '',
  ].join('\n')
}

/** docs/svc.schema.json: what the service serves, except for its own address. */
export const svcSchemaText = (): string => `${JSON.stringify(configJsonSchema(), null, 2)}\n`

if (import.meta.main) {
  const docs = new URL('../../../docs/', import.meta.url)
  await writeFile(new URL('svc-yml.md', docs), svcYmlDocs())
  await writeFile(new URL('svc.schema.json', docs), svcSchemaText())
  await writeFile(new URL('discover.schema.json', docs), discoverSchemaText())
}
