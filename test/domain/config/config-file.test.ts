import t from 'tap'
import { checkRepoConfig, defaultConfig, parseRepoConfig } from '#domain/config/config-file.ts'
import { isStackDirectory, stackConfig } from '#domain/config/stack-config.ts'
import { stackVariants, watchedPaths } from '#domain/config/stack-variants.ts'
import { config } from '#test/domain/graph/graph-of.ts'

const told = (text: string): string[] => {
  const parsed = parseRepoConfig(text)
  return parsed.ok
    ? []
    : parsed.problems.map(({ line, column, key, message }) => `${line}:${column} ${key}: ${message}`)
}

t.test('version alone is a whole file', async (t) => {
  t.same(parseRepoConfig('version: 1'), { ok: true, config: defaultConfig })
  t.same(defaultConfig, {
    version: 1,
    tool: 'terraform',
    discover: { include: ['**'], exclude: [] },
    ignore: [],
    lock_timeout: '5m',
    init: { retries: 2 },
    plan: { output: 'full', parallel: 10, teams: [] },
    stacks: [],
    apply: {
      mode: 'comment',
      approvals: 1,
      code_owners: false,
      four_eyes: false,
      mergeable: true,
      teams: [],
      checks: [],
      rules: [],
      windows: [],
    },
    unlock: { teams: [] },
    rerun: { teams: [] },
    drift: { issues: false, plan: false },
    locks: { remind_after: '24h' },
    propagate: { cross_repo: 'off' },
    checks: [],
  })
})

t.test('every key is read', async (t) => {
  const text = `
version: 1
tool: tofu
tool_version: 1.9.0
discover: { include: [aws/**], exclude: ["**/modules/**"] }
ignore: ["**/*.md"]
plan: { output: summary }
stacks:
  - match: aws/**
    environment: production
    depends_on: [aws/net, "aws/net:eu", acme/core//dns]
    watch_paths: [shared/]
    instances:
      eu: { workspace: eu, environment: eu, var_files: [eu.tfvars], backend_config: [eu.hcl, key=a/b], watch_paths: [x] }
      us:
    workspace: w
    var_files: [a.tfvars]
    backend_config: [a.hcl]
    plan_output: full
    tool: terraform
    tool_version: "1.11"
apply:
  { mode: on_merge, approvals: 2, code_owners: true, four_eyes: true, mergeable: false, teams: [platform], checks: [cost] }
drift: { schedule: "0 4 * * mon-fri", issues: true }
locks: { remind_after: 7d }
propagate: { cross_repo: plan }
checks:
  - { name: cost, run: ./cost.sh }
  - { name: policy, run: opa, on: apply, mode: warn }
`
  const parsed = parseRepoConfig(text)
  t.ok(parsed.ok, JSON.stringify(parsed))
  if (!parsed.ok) return
  t.same(parsed.config.stacks[0]?.instances?.us, {}, 'an instance may be empty')
  t.same(parsed.config.checks, [
    { name: 'cost', run: './cost.sh', on: 'plan', mode: 'fail' },
    { name: 'policy', run: 'opa', on: 'apply', mode: 'warn' },
  ])
  t.same(checkRepoConfig(JSON.parse(JSON.stringify(parsed.config))), parsed, 'an uploaded configuration reads the same')
})

t.test('all problems are returned at once, each with its place', async (t) => {
  const text = `version: 2
tol: tofu
apply:
  aprovals: 1
  approvals: -1
  mode: sometimes
  checks: [resolve]
stacks:
  - match: aws/**
    tool_version: 1.10
    instances:
      Default: {}
      eu: { enviroment: x }
    depends_on: [/abs, a//b]
    plan_output: short
  - environment: e
discover:
  include: ["!aws", "/aws", "a/../b", "a/{b", ""]
drift: { schedule: "0 25 * * *" }
locks: { remind_after: soon }
checks:
  - { name: a, run: x }
  - { name: a, run: "" }
ignore: a.md
`
  t.same(told(text), [
    '1:10 version: expected 1',
    "2:1 tol: 'tol' is not known here: did you mean 'tool'?",
    "4:3 apply.aprovals: 'aprovals' is not known here: did you mean 'approvals'?",
    '5:14 apply.approvals: expected 0 or more',
    '6:9 apply.mode: expected comment, on_merge or off',
    "7:12 apply.checks[0]: 'resolve' is not a check name: up to 64 letters, digits, '-', '_', '.'; not resolve, plan or apply",
    '10:19 stacks[0].tool_version: expected text, not a number: write it in quotes',
    "12:7 stacks[0].instances.Default: an instance name starts with a letter or digit, has up to 64 letters, digits, '.', '_', '-', and is not 'default'",
    "13:13 stacks[0].instances.eu.enviroment: 'enviroment' is not known here: did you mean 'environment'?",
    "14:18 stacks[0].depends_on[0]: '/abs' is not a stack key such as aws/prod or aws/prod:eu",
    "14:24 stacks[0].depends_on[1]: 'a//b' is not a stack key such as owner/repo//path",
    '15:18 stacks[0].plan_output: expected full or summary',
    '16:5 stacks[1].match: is missing: expected text',
    "18:13 discover.include[0]: '!aws' starts with '!': globs only include; use discover.exclude or a narrower glob",
    "18:21 discover.include[1]: '/aws' starts with '/': paths are relative to the repository's root",
    "18:29 discover.include[2]: 'a/../b' has a '..' segment: paths are relative to the repository's root",
    "18:39 discover.include[3]: 'a/{b' has a bracket that is not closed, or braces for more than 64 globs (or 1500 characters)",
    '18:47 discover.include[4]: is empty',
    "19:20 drift.schedule: '0 25 * * *': '25' is not a valid hour: expected 0 to 23, '*', a range or a step such as '*/2'",
    "20:24 locks.remind_after: 'soon' is not a duration such as 24h, 7d or 1h30m",
    "23:13 checks[1].name: 'a' is named twice",
    '23:21 checks[1].run: is empty: expected a command',
    '24:9 ignore: expected a list',
  ])
})

t.test('runners are named by one label or a list, and a lock is waited for up to a day', async (t) => {
  const said = parseRepoConfig(
    'version: 1\nruns_on: big\nlock_timeout: 20m\nstacks: [{ match: a, runs_on: [x, "y z"], lock_timeout: 0s }]',
  )
  if (!said.ok) return t.fail(JSON.stringify(said.problems))
  t.match(stackConfig(said.config, 'a'), { runs_on: ['x', 'y z'], lock_timeout: '0s' })
  t.match(stackConfig(said.config, 'b'), { runs_on: ['big'], lock_timeout: '20m' })
  t.equal(stackConfig(defaultConfig, 'b').runs_on, undefined, 'the workflow names its runners then')
  for (const [key, value, says] of [
    ['lock_timeout', '1d', /'1d' is not a duration such as 90s, 10m or 1h30m/],
    ['lock_timeout', '25h', /'25h' is more than 24h/],
    ['runs_on', '[]', /runs_on: expected 1 or more/],
    ['runs_on', "['']", /runs_on\[0\]: expected 1 or more/],
    ['runs_on', '{ group: x }', /runs_on: expected a list/],
    ['init', '{ retries: 6 }', /5/],
    ['plan', '{ parallel: 0 }', /1/],
    ['plan', '{ parallel: 300 }', /256/],
  ] as const)
    t.match(told(`version: 1\n${key}: ${value}\n`)[0], says, `${key}: ${value}`)
})

t.test('a reminder interval of a second or a million years is refused', async (t) => {
  for (const delay of ['59s', '367d', '100000000d']) {
    const says = `2:24 locks.remind_after: '${delay}' is not from 1m to 366d`
    t.same(told(`version: 1\nlocks: { remind_after: ${delay} }\n`), [says])
  }
  for (const delay of ['1m', '366d']) t.same(told(`version: 1\nlocks: { remind_after: ${delay} }\n`), [])
})

t.test('files that are not a map, not YAML, or empty', async (t) => {
  t.same(told(''), ['1:1 version: is missing: expected 1'])
  t.same(told('- version: 1'), ['1:1 : expected a map of keys'])
  t.same(told('version: 1\nversion: 1'), ['2:1 : Map keys must be unique'])
  t.match(told('version: 1\n  a: [')[0], /^\d:\d+ : \S/)
  t.match(told('version: 1\n---\nversion: 1')[0], /document/)
  t.match(told(`a: &a [x]\nb: &b [${'*a,'.repeat(99)}]\nc: [${'*b,'.repeat(99)}]`)[0], /alias/i, 'no billion laughs')
  t.match(told(`version: 1\n${'#'.repeat(1 << 20)}`)[0], /larger than 1 MB/)
  t.same(told('version: 1\n? [a]\n: 1'), ['2:3 : a key must be text'])
  t.same(told('version: 1\nignore: *a'), ["2:9 : the alias '*a' has no anchor before it"])
  t.same(told('ignore: &a ["x"]\nversion: 1\ndiscover: { exclude: *a }'), [], 'an alias is what it stands for')
})

t.test('a schedule that never occurs is refused', async (t) => {
  t.same(told('version: 1\ndrift: {schedule: "0 4 30 2 *"}'), [
    "2:19 drift.schedule: '0 4 30 2 *': names no day of any year",
  ])
  t.equal(config('drift: {schedule: "0 4 29 2 *"}').drift.schedule, '0 4 29 2 *')
})

t.test('a key with nothing after it means its default', async (t) => {
  t.same(config('apply:\nstacks:\nignore:\ndrift: {schedule: }'), defaultConfig)
})

t.test('an uploaded configuration may contain keys that only newer services know', async (t) => {
  const checked = checkRepoConfig({
    version: 1,
    tool: 'tofu',
    later: 1,
    apply: { later: 1 },
    stacks: [{ match: 'a', later: 1 }],
  })
  t.same(checked.ok && [checked.config.tool, checked.config.stacks], ['tofu', [{ match: 'a' }]])
  t.same(checkRepoConfig({ version: 1 }), {
    ok: false,
    problems: [{ key: 'tool', message: 'is missing: expected terraform, tofu or terragrunt' }],
  })
  t.notOk(checkRepoConfig({ version: 1, tool: 'terraform', ignore: 'a' }).ok)
  t.notOk(checkRepoConfig(null).ok)
})

t.test('in an uploaded configuration null means a key left out, at any depth', async (t) => {
  const deep = JSON.parse(`${'{"later":'.repeat(20_000)}null${'}'.repeat(20_000)}`)
  const checked = checkRepoConfig({
    ...{ version: 1, tool: 'tofu', tool_version: null, apply: null, drift: { schedule: null }, later: deep },
    stacks: [{ match: 'a', environment: null, instances: { eu: null } }],
  })
  t.same(checked.ok && checked.config.stacks, [{ match: 'a', instances: { eu: {} } }])
  t.notOk(checked.ok && 'tool_version' in checked.config)
  t.notOk(checkRepoConfig({ version: 1, tool: null }).ok, 'what is needed is missing')
})

t.test('which directories are stacks', async (t) => {
  const cases: [string, Record<string, boolean>][] = [
    ['', { '.': true, a: true, '.hidden/a': true }],
    ['discover: {include: [aws/**]}', { aws: true, 'aws/a/b': true, 'awsx/a': false, '.': false }],
    ['discover: {exclude: ["**/modules/**", "."]}', { '.': false, a: true, 'a/modules/x': false, 'modules/x': false }],
    [
      'discover: {include: ["{aws,gcp}/*"], exclude: ["*/old-?"]}',
      { 'aws/a': true, 'gcp/old-1': false, 'az/a': false },
    ],
    ['discover: {include: [live/]}', { 'live/a': true, a: false }],
  ]
  for (const [yaml, paths] of cases) {
    const found = Object.keys(paths).map((path) => [path, isStackDirectory(config(yaml), path)])
    t.same(Object.fromEntries(found), paths, yaml || 'by default')
  }
})

t.test("a stack's settings: every entry that matches applies, later ones win", async (t) => {
  const made = config(`
tool_version: 1.11.4
stacks:
  - { match: aws/**, environment: aws, depends_on: [a], tool: tofu }
  - { match: aws/prod, environment: prod }
  - { match: "**/prod", depends_on: [b], plan_output: summary }
  - { match: ./gcp, environment: gcp }
  - { match: "**", watch_paths: [w] }
`)
  t.match(stackConfig(made, 'aws/prod'), {
    environment: 'prod',
    depends_on: ['b'],
    tool: 'tofu',
    tool_version: '1.11.4',
    plan_output: 'summary',
    watch_paths: ['w'],
  })
  t.match(stackConfig(made, 'aws/dev'), { environment: 'aws', depends_on: ['a'], plan_output: 'full' })
  t.match(stackConfig(made, 'gcp'), { environment: 'gcp', tool: 'terraform' })
  t.match(stackConfig(made, '.'), { environment: 'default', watch_paths: ['w'] })
})

t.test('the stacks of a directory', async (t) => {
  const made = config(`
stacks:
  - match: aws/app
    environment: all
    workspace: shared
    var_files: [../common.tfvars, app.tfvars, ../../../out.tfvars]
    watch_paths: [vars/**]
    instances:
      eu: { workspace: eu, var_files: [../eu.tfvars], watch_paths: [eu.json] }
      us: { environment: us, backend_config: [../us.hcl, region=us-east-1] }
`)
  t.match(
    stackVariants(made, 'aws/app').map((variant) => ({ ...variant, watched: watchedPaths(variant) })),
    [
      {
        key: 'aws/app:eu',
        path: 'aws/app',
        instance: 'eu',
        workspace: 'eu',
        environment: 'all',
        var_files: ['../common.tfvars', 'app.tfvars', '../../../out.tfvars', '../eu.tfvars'],
        watched: ['vars/**', 'eu.json', 'aws/common.tfvars', 'aws/eu.tfvars'],
      },
      {
        key: 'aws/app:us',
        workspace: 'shared',
        environment: 'us',
        backend_config: ['../us.hcl', 'region=us-east-1'],
        watched: ['vars/**', 'aws/common.tfvars', 'aws/us.hcl'],
      },
    ],
  )
  t.same(
    stackVariants(made, 'aws/net').map(({ key }) => key),
    ['aws/net'],
  )
})
