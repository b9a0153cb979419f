import { Ajv } from 'ajv'
import t from 'tap'
import { parse } from 'yaml'
import { parseRepoConfig } from '#domain/config/config-file.ts'
import { configJsonSchema, type JsonSchema, plainJsonSchema } from '#domain/config/config-json-schema.ts'

const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(configJsonSchema())

const taken = [
  'version: 1',
  'version: 1\nignore:\nstacks:\napply:\n  mode:\n  approvals:\nlocks: { remind_after: }',
  'version: 1\ntool: tofu\ntool_version: "1.10"',
  'version: 1\ntool_version: 1.11.4-beta1',
  'version: 1\ndiscover: { include: ["aws/**", .], exclude: ["a/{b,c}/[d-f]?", dir/, ./x, "..a/b"] }',
  'version: 1\nstacks:\n  - match: a\n    instances: { eu: , 0.a_b-c: { workspace: w } }',
  'version: 1\nstacks:\n  - match: a\n    depends_on: [b, "b:eu", acme/core//dns, ./c, c/, "d/**"]\n    tool:',
  'version: 1\nstacks:\n  - { match: a, var_files: [../x.tfvars], backend_config: [key=/a/b, ../s3.hcl], environment: "eu west" }',
  'version: 1\napply: { mode: on_merge, approvals: 0, teams: [platform, acme/ops], checks: [policy.v1], mergeable: false }',
  'version: 1\nstacks:\n  - { match: a, workspace: "{dir}-{name}", var_files: ["{instance}.tfvars"], watch_paths: ["{path}/*", "{a,b}"] }',
  'version: 1\nstacks:\n  - { match: a, instances: { from: "env/*.tfvars", eu: { workspace: w }, us: } }',
  'version: 1\ndrift: { schedule: "  0 4 * * mon-fri ", issues: true }\nlocks: { remind_after: 1h30m }',
  'version: 1\nchecks:\n  - { name: cost, run: "true", on: apply, mode: warn, override: { teams: [budget, acme/cfo] } }',
  'version: 1\napply: { rules: [{ match: aws/**, environment: [a, "{instance}"], tag: t, approvals: 0, mode: off }, { name: x, approve_teams: [a] }] }',
  'version: 1\napply: { rules: [{ when: { destroys: ">0", replaces: 1, outputs: ">12", resources: ["aws_*"] }, protect: ["*"], approve_teams: [a] }] }',
  'version: 1\napply: { windows: [{ deny: "* 17-23 * * fri", time_zone: Europe/Berlin, hold: waves, except_teams: [sre] }, { allow: 2027-12-24 }] }',
  'version: 1\napply: { windows: [{ deny: 2027-12-24..2027-12-26, reason: holidays }, { deny: "2027-12-24T18:00..2027-12-27T06:00" }] }',
]

const refused = [
  '',
  'version:',
  'version: 2',
  'version: "1"',
  'version: 1\nstack: []',
  'version: 1\napply: { aprovals: 1 }',
  'version: 1\napply: { mode: never }',
  'version: 1\napply: { approvals: 1.5 }',
  'version: 1\napply: { approvals: 101 }',
  'version: 1\napply: { approvals: -1 }',
  'version: 1\napply: { code_owners: "yes" }',
  'version: 1\napply: { teams: [a b] }',
  'version: 1\napply: { checks: [plan] }',
  'version: 1\ntool: pulumi',
  'version: 1\ntool_version: 1.10',
  'version: 1\ntool_version: latest',
  'version: 1\nignore: "**"',
  'version: 1\nignore: [""]',
  'version: 1\nignore:\n  -\n  - a',
  'version: 1\nignore: ["!a"]',
  'version: 1\nignore: [/a]',
  'version: 1\nignore: [a/../b]',
  `version: 1\nignore: [${'a'.repeat(301)}]`,
  'version: 1\nstacks: [{}]',
  'version: 1\nstacks: [{ match: }]',
  'version: 1\nstacks: [{ match: a, instances: { Default: { workspace: w } } }]',
  'version: 1\nstacks: [{ match: a, instances: { -a: { workspace: w } } }]',
  'version: 1\nstacks: [{ match: a, instances: { eu: { tool: tofu } } }]',
  'version: 1\nstacks: [{ match: a, workspace: a/b }]',
  'version: 1\nstacks: [{ match: a, environment: " " }]',
  'version: 1\nstacks: [{ match: a, var_files: [/etc/x] }]',
  'version: 1\nstacks: [{ match: a, backend_config: [""] }]',
  'version: 1\nstacks: [{ match: a, depends_on: [../b] }]',
  'version: 1\ndrift: { schedule: daily }',
  'version: 1\nlocks: { remind_after: 1 day }',
  'version: 1\npropagate: { cross_repo: apply }',
  'version: 1\nchecks: [{ name: policy }]',
  'version: 1\nchecks: [{ name: policy, run: " " }]',
  'version: 1\nchecks: [{ name: policy, run: x, override: { teams: [] } }]',
  'version: 1\napply: { rules: [{ match: [] }] }',
  'version: 1\napply: { rules: [{ mtch: a }] }',
  'version: 1\napply: { rules: [{ match: /a }] }',
  'version: 1\napply: { rules: [{ when: { destroys: 0 } }] }',
  'version: 1\napply: { rules: [{ when: { destroys: "0" } }] }',
  'version: 1\napply: { rules: [{ approvals: 101 }] }',
  'version: 1\napply: { rules: [{ mergeable: false }] }',
  'version: 1\napply: { windows: [{ deny: "* * * * *", hold: runs }] }',
]

/** Rules that a pattern cannot express, but the parser enforces. */
const refusedByParserAlone = [
  'version: 1\nignore: ["a[b"]',
  'version: 1\ndrift: { schedule: 0 25 * * * }',
  'version: 1\nlocks: { remind_after: 1s }',
  'version: 1\nstacks: [{ match: a, depends_on: [a//b] }]',
  'version: 1\nstacks: [{ match: a, depends_on: ["a/[b"] }]',
  'version: 1\nstacks: [{ match: a, workspace: "{stack}" }]',
  'version: 1\nstacks: [{ match: a, instances: { from: env/eu.tfvars } }]',
  'version: 1\nstacks: [{ match: a, instances: { eu: "env/*.tfvars" } }]',
  'version: 1\nchecks: [{ name: a, run: b }, { name: a, run: c }]',
  'version: 1\napply: { rules: [{ protect: ["*"] }] }',
  'version: 1\napply: { windows: [{ reason: x }] }',
  'version: 1\napply: { windows: [{ deny: "* * * * *", allow: "* * * * *" }] }',
  'version: 1\napply: { windows: [{ deny: "* 25 * * *" }] }',
  'version: 1\napply: { windows: [{ deny: 2027-02-30 }] }',
  'version: 1\napply: { windows: [{ deny: 2027-02-03..2027-02-02 }] }',
  'version: 1\napply: { windows: [{ deny: "* * * * *", time_zone: Europe/Berln }] }',
]

t.test('the JSON Schema accepts and refuses the same files as the parser', async (t) => {
  for (const text of taken) {
    t.match(parseRepoConfig(text), { ok: true }, text)
    t.ok(validate(parse(text)), `${text}: ${JSON.stringify(validate.errors)}`)
  }
  for (const text of refused) {
    t.notOk(parseRepoConfig(text).ok, text)
    t.notOk(validate(parse(text)), text)
  }
})

t.test('it refuses nothing that the parser accepts, where it cannot express the whole rule', async (t) => {
  for (const text of refusedByParserAlone) {
    t.notOk(parseRepoConfig(text).ok, text)
    t.ok(validate(parse(text)), `${text}: ${JSON.stringify(validate.errors)}`)
  }
})

type Key = { path: string[]; schema: JsonSchema }

/** Every key of the file, including those of list entries and instances. */
const keysOf = (schema: JsonSchema, path: string[] = []): Key[] => {
  const map = schema.anyOf?.find(({ properties }) => properties !== undefined) ?? schema
  const { items, additionalProperties: rest } = map
  return [
    ...Object.entries(map.properties ?? {}).flatMap(([name, one]) => [
      { path: [...path, name], schema: one },
      ...keysOf(one, [...path, name]),
    ]),
    ...(items ? keysOf(items, [...path, '[]']) : []),
    ...(typeof rest === 'object' ? keysOf(rest, [...path, 'eu']) : []),
  ]
}

/** What an entry of each list needs besides the key in question. */
const entries: Record<string, (inner: object) => object> = {
  stacks: (inner) => ({ match: 'a', ...inner }),
  checks: (inner) => ({ name: 'policy', run: 'true', ...inner }),
  rules: (inner) => ({ approve_teams: ['dba'], ...inner }),
  windows: (inner) => ('allow' in inner ? inner : { deny: '* * * * *', ...inner }),
}

const wrapped = (path: string[], value: unknown): unknown =>
  path.reduceRight((inner, name, at) => {
    if (name === '[]') return [entries[path[at - 1] ?? '']?.(inner as object)]
    return { [name]: inner }
  }, value)

t.test('every key says what it does, and has an example that the parser accepts', async (t) => {
  const keys = keysOf(plainJsonSchema())
  t.ok(keys.length > 40)
  for (const { path, schema } of keys) {
    t.match(schema.description, /^[A-Z`].*\.$|docs\/.*\.md\.$/, path.join('.'))
    const isGroup = schema.properties !== undefined || schema.items?.properties !== undefined
    t.equal(schema.examples === undefined, isGroup, `${path.join('.')}: a value has an example`)
    for (const example of schema.examples ?? []) {
      const file = wrapped(path, example) as object
      t.match(parseRepoConfig(JSON.stringify({ version: 1, ...file })), { ok: true }, path.join('.'))
    }
  }
})

t.test('each default that it names is the one that the parser sets', async (t) => {
  const parsed = parseRepoConfig('version: 1')
  for (const { path, schema } of keysOf(plainJsonSchema())) {
    if (schema.default === undefined || path.includes('[]') || schema.properties) continue
    const given = path.reduce((at: unknown, name) => (at as Record<string, unknown>)[name], parsed.ok && parsed.config)
    t.same(given, schema.default, path.join('.'))
  }
})
