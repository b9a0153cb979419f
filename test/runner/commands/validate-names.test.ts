import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { checkoutOf, resource } from '../checkout.ts'
import { clientFor, directoryFor } from '../client.ts'
import { git } from '../job/planning.ts'

const tree = {
  'aws/prod/network/main.tf': resource('a'),
  'aws/prod/app/main.tf': resource('a'),
  'live/a/main.tf': resource('a'),
  'live/b x/main.tf': resource('a'),
  'modules/m/main.tf': resource('a'),
  'shared/app/rules.json': '{}',
  'docs/page.md': '',
  '.github/workflows/plan.yml': 'jobs: { a: { steps: [{ run: svc check cost -- ./cost }] } }\n',
}

const wrong = `version: 1
discover:
  include: ["aws/**", "live/**", "lvie/*"]
  exclude: ["exmaples/**", "**/tmp"]
ignore: ["**/*.rst", "dosc/**", "docs/**"]
stacks:
  - match: aws/prdo/**
    environment: production
  - match: aws/prod/*
    environment: lost
    depends_on: [aws/prod/netwrok, "tag:netw", "aws/stage/*", "tag:network", acme/dns//zones, "acme/dns//*"]
    watch_paths: ["shared/{name}/**", "{dir}/{name}/**", "shraed/**", "docs/*.md"]
  - match: aws/prod/*
    environment: "{instance}"
    tags: [network]
    var_files: ["../../docs/pgae.md", "../../../x.tfvars"]
  - match: network
  - match: modules/m
  - match: live/**
    workspace: "{name}"
    backend_config: [key=x, s3.hcl]
  - match: live/b x
    instances: { from: "env/*.tfvars", green: , blue: { workspace: "{path}", var_files: [blue.tfvars] } }
  - match: "live/b x:blue"
apply:
  teams: [platform, other/ops, ACME/ops]
  checks: [polcy, cost, policy]
checks:
  - { name: policy, run: "true", match: ["aws/**", "live/b x:blue", "live/b x:bleu"] }
unlock: { teams: [platform, other/ops] }
`

const warned = [
  ['3:34', 'discover.include[2]', "'lvie/*' matches no stack: did you mean 'live/*'?"],
  ['4:13', 'discover.exclude[0]', "'exmaples/**' matches nothing: there is no 'exmaples'"],
  ['5:22', 'ignore[1]', "'dosc/**' matches nothing: there is no 'dosc': did you mean 'docs/**'?"],
  ['7:12', 'stacks[0].match', "'aws/prdo/**' matches no stack: did you mean 'aws/prod/**'?"],
  ['10:18', 'stacks[1].environment', /^no stack has 'lost': for aws\/prod\/app, aws\/prod\/network another entry/],
  ['11:18', 'stacks[1].depends_on[0]', /^'aws\/prod\/netwrok' is no stack .*: did you mean 'aws\/prod\/network'\?$/],
  ['11:36', 'stacks[1].depends_on[1]', "'tag:netw' is the tag of no stack: did you mean 'tag:network'?"],
  ['11:48', 'stacks[1].depends_on[2]', "'aws/stage/*' matches no stack of this repository"],
  ['11:95', 'stacks[1].depends_on[5]', /^'acme\/dns\/\/\*' is a glob: /],
  ['12:39', 'stacks[1].watch_paths[1]', "'{dir}/{name}/**' matches no file, such as 'prod/app/**'"],
  ['12:58', 'stacks[1].watch_paths[2]', "'shraed/**' matches no file: did you mean 'shared/**'?"],
  ['14:18', 'stacks[2].environment', /^'\{instance\}' asks for the instance, and .* are none: .* 'default'$/],
  ['16:17', 'stacks[2].var_files[0]', /there is no 'aws\/docs\/pgae.md'$/],
  ['16:39', 'stacks[2].var_files[1]', /there is no 'x.tfvars'$/],
  ['17:12', 'stacks[3].match', /^'network' is no stack, .*: did you mean 'aws\/prod\/network'\?$/],
  ['18:12', 'stacks[4].match', "'modules/m' is in the repository, but no stack"],
  ['20:16', 'stacks[5].workspace', /^'\{name\}' becomes 'b x' for live\/b x:green, which is not a workspace name/],
  [
    '21:29',
    'stacks[5].backend_config[1]',
    /^'s3.hcl' of live\/a, live\/b x:blue, live\/b x:green is not .* no 'live\/a\/s3.hcl'$/,
  ],
  ['23:24', 'stacks[6].instances.from', "no file matches 'env/*.tfvars' from live/b x"],
  ['23:68', 'stacks[6].instances.blue.workspace', /becomes 'live-b x' for live\/b x:blue, which is not a workspace/],
  ['23:90', 'stacks[6].instances.blue.var_files[0]', /^'blue.tfvars' of live\/b x:blue is not in the repository/],
  ['24:12', 'stacks[7].match', /^'live\/b x:blue' is the key of an instance, and directories are matched: 'live\/b x'/],
  ['26:21', 'apply.teams[1]', /^'other\/ops' is a team of another organisation, .*: expected 'ops' or 'acme\/ops'$/],
  ['27:12', 'apply.checks[0]', /^no check has the name 'polcy', .*: did you mean 'policy'\?$/],
  [
    '27:25',
    'apply.checks[2]',
    /^the check 'policy' is not for live\/a, .*, and every apply of a stack is refused without/,
  ],
  ['29:69', 'checks[0].match[2]', "'live/b x:bleu' matches no stack's directory or key: did you mean 'live/b x:blue'?"],
  ['30:29', 'unlock.teams[1]', /^'other\/ops' is a team of another organisation/],
] as const

t.test('validate warns of everything that names nothing, with its place and what is near', async (t) => {
  const { root, run } = checkoutOf(t, { ...tree, 'svc.yml': wrong })
  git(root, 'remote', 'add', 'origin', 'git@github.com:acme/infra.git')
  const { code, json } = await run(['validate', '--json'])
  t.equal(code, 0, 'a valid file is valid')
  t.match(json, { valid: true, problems: [], notes: [] })
  const found = json.warnings as { key: string; message: string; line: number; column: number }[]
  t.same(
    found.map(({ key, line, column }) => `${line}:${column} ${key}`),
    warned.map(([place, key]) => `${place} ${key}`),
  )
  for (const [i, [, key, message]] of warned.entries()) t.match(found[i]?.message, message, key)
  const shown = await run(['validate', '--strict'])
  t.equal(shown.code, 1)
  t.match(shown.stderr, "error: svc.yml:3:34: discover.include[2]: 'lvie/*' matches no stack: did you mean 'live/*'?\n")
  t.match(shown.stdout, /--strict allows no warnings: 27\n$/)
})

t.test('validate is silent where every name is of something', async (t) => {
  const right = `version: 1
discover: { exclude: ["docs/", "**/none"] }
ignore: ["**/*.rst", README.md]
stacks:
  - { match: "**", environment: staging, watch_paths: ["shared/{name}/**", sub/lib/**, ./docs/page.md] }
  - { match: ./aws/prod/network, environment: production, tags: [network] }
  - { match: "aws/{prod,stage}/app/", depends_on: [aws/prod/network/, "tag:network", "aws/**", acme/dns//zones] }
  - match: live/*
    instances: { from: "env/*.tfvars" }
    workspace: "{name}-{instance}"
    environment: "{instance}"
    var_files: ["env/{instance}.tfvars", "../{name}/main.tf"]
apply: { teams: [platform], checks: [cost, policy] }
checks: [{ name: policy, run: "true" }, { name: lint, run: "true", match: ["live/*:blue"] }]
`
  const { root, run } = checkoutOf(t, { ...tree, 'svc.yml': right, 'README.md': '', 'live/a/env/blue.tfvars': '' })
  git(root, 'rm', '-rq', 'live/b x')
  git(root, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`)
  mkdirSync(join(root, 'sub'))
  t.match(await run(['validate', '--strict']), { code: 0, stdout: 'svc.yml is valid\n', stderr: '' })
})

t.test('validate warns of what an apply needs and never gets', async (t) => {
  const policy = `version: 1
apply: { mode: on_merge, teams: [platform], checks: [after, some, cost] }
checks:
  - { name: after, run: "true", on: apply }
  - { name: some, run: "true", match: ["aws/**"] }
  - { name: cost, run: "true", match: ["aws/**"] }
`
  const { run } = checkoutOf(t, { ...tree, 'svc.yml': policy })
  t.match((await run(['validate', '--json'])).json.warnings, [
    { key: 'apply.teams', line: 2, message: /^nobody asks for an apply under mode: on_merge/ },
    { key: 'apply.checks[0]', message: /^the check 'after' runs after applies, .*: expected a check with on: plan$/ },
    { key: 'apply.checks[1]', message: /^the check 'some' is not for live\/a, / },
  ])
  const { run: other } = checkoutOf(t, { ...tree, 'svc.yml': policy.replace('on_merge', 'comment') })
  const rest = (await other(['validate', '--json'])).json.warnings as { key: string }[]
  t.same(
    rest.map(({ key }) => key),
    ['apply.checks[0]', 'apply.checks[1]'],
    'a workflow reports cost',
  )
})

t.test('validate warns of rules without a stack, and of what they ask for in vain', async (t) => {
  const rules = `version: 1
stacks:
  - { match: aws/**, environment: production, tags: [network] }
apply:
  rules:
    - { match: aws/prdo/**, approvals: 2 }
    - { tag: netwrok, environment: production, approvals: 2 }
    - { environment: Production, mode: on_merge, teams: [dba], checks: [after] }
    - { match: live/**, teams: [ops], approve_teams: [other/dba], checks: [some] }
    - { match: aws/**, checks: [some] }
    - { when: { destroys: ">0" }, approvals: 2 }
checks:
  - { name: after, run: "true", on: apply }
  - { name: some, run: "true", match: ["aws/**"], override: { teams: [other/budget] } }
`
  const { root, run } = checkoutOf(t, { ...tree, 'svc.yml': rules })
  git(root, 'remote', 'add', 'origin', 'git@github.com:acme/infra.git')
  const { warnings } = (await run(['validate', '--json'])).json
  t.match(warnings, [
    { key: 'apply.rules[0].match', line: 6, message: /^no stack has this rule's match, and so it asks for nothing$/ },
    { key: 'apply.rules[1].environment', message: /^no stack has this rule's environment and tag/ },
    { key: 'apply.rules[2].teams', message: /^nobody asks for an apply under mode: on_merge/ },
    { key: 'apply.rules[2].checks[0]', message: /'after' runs after applies, and every apply of the rule is refused/ },
    { key: 'apply.rules[3].approve_teams[0]', message: /^'other\/dba' is a team of another organisation/ },
    { key: 'apply.rules[3].checks[0]', message: /^the check 'some' is not for live\/a, live\/b x/ },
    { key: 'checks[1].override.teams[0]', message: /^'other\/budget' is a team/ },
  ])
  t.equal(warnings.length, 7)
})

t.test('validate warns of windows that are over, and of applies that may never begin', async (t) => {
  const keysFor = async (windows: string) => {
    const { run } = checkoutOf(t, { ...tree, 'svc.yml': `version: 1\napply:\n  windows:\n${windows}` })
    const { warnings } = (await run(['validate', '--json'])).json
    return (warnings as { key: string; message: string }[]).map(({ key, message }) => `${key}: ${message}`)
  }
  t.same(await keysFor('    - { deny: "* 17-23 * * fri" }\n    - { allow: "* 9-16 * * mon-fri" }\n'), [])
  t.match(await keysFor('    - { deny: 2020-12-24..2020-12-26 }\n    - { deny: "* * 30 2 *" }\n'), [
    /^apply\.windows\[0\]\.deny: '2020-12-24\.\.2020-12-26' names no time of the next 13 months$/,
    /^apply\.windows\[1\]\.deny: '\* \* 30 2 \*' names no time/,
  ])
  t.match(
    await keysFor('    - { allow: "* 9-16 * * sat" }\n    - { deny: "* * * * sat,sun", except_teams: [sre] }\n'),
    [
      /^apply\.windows\[\d\]: no apply may begin in the next 13 months by these windows together, but for members of except_teams$/,
    ],
  )
  t.match(await keysFor('    - { allow: 2020-12-24 }\n'), [/^apply\.windows\[0\]: no apply may begin/, /names no time/])
})

t.test('validate prints the first 50 warnings, and has all of them in JSON', async (t) => {
  const entries = Array.from({ length: 60 }, (_, i) => `  - { match: gone/${i} }\n`).join('')
  const { run } = checkoutOf(t, { ...tree, 'svc.yml': `version: 1\nstacks:\n${entries}` })
  const shown = await run(['validate'])
  t.equal(shown.stderr.trim().split('\n').length, 51)
  t.match(shown.stderr, /\nwarning: and 10 more: svc validate --json has all of them\n$/)
  t.match(shown.stdout, /with 60 warnings\n$/)
  t.equal(((await run(['validate', '--json'])).json.warnings as unknown[]).length, 60)
})

t.test('a tree that cannot be seen is a note, and says nothing against the file', async (t) => {
  const alone = directoryFor(t)
  writeFileSync(join(alone, 'other.yml'), 'version: 1\nstacks: [{ match: gone }]\napply: { checks: [cost] }\n')
  const outside = await clientFor(t).run(['validate', 'other.yml', '--json'], { cwd: alone, env: {} })
  t.match(outside.json, { valid: true, notes: [/is in no git repository/], warnings: [{ key: 'apply.checks[0]' }] })
  t.equal(outside.code, 0)

  writeFileSync(join(alone, 'svc.yml'), 'version: 1\nstacks: [{ match: gone }]\n')
  const onDisk = await clientFor(t).run(['validate', '--json'], { cwd: alone, env: {} })
  t.match(onDisk.json, { notes: [], warnings: [{ key: 'stacks[0].match' }] }, 'svc.yml speaks of its directory')

  const listing = 'version: 1\ndiscover: { command: "exit 7" }\nstacks: [{ match: gone }]\nignore: [gone/**]\n'
  const { run } = checkoutOf(t, { ...tree, 'svc.yml': listing })
  for (const args of [[], ['--trust-config']]) {
    const { code, json } = await run(['validate', '--strict', '--json', ...args])
    t.equal(code, 1, 'files are looked for without it')
    t.match(json, { notes: [/^stacks that the file names are not looked for: /], warnings: [{ key: 'ignore[0]' }] })
  }
  const given = { version: 1, stacks: [{ path: 'gone' }] }
  writeFileSync(join(alone, 'listing.json'), JSON.stringify(given))
  const listed = await run(['validate', '--json', `--discover=${join(alone, 'listing.json')}`])
  t.match(listed.json, { notes: [], warnings: [{ key: 'ignore[0]' }] })
  t.same((listed.json.warnings as unknown[]).length, 1)

  const before = `version: 1\ndiscover: { command: 'echo "{\\"version\\":1}"' }\nstacks: [{ match: gone }]\n`
  const edited = checkoutOf(t, { ...tree, 'svc.yml': before })
  git(edited.root, 'update-ref', 'refs/remotes/origin/HEAD', 'HEAD')
  t.match((await edited.run(['validate', '--json'])).json, { notes: [], warnings: [{ key: 'stacks[0].match' }] })
  writeFileSync(join(edited.root, 'svc.yml'), before.replace('echo', 'exit 7; echo'))
  const other = await edited.run(['validate', '--json'])
  t.match(
    other.json,
    { notes: [/discover.command is not run/], warnings: [] },
    "the default branch's says nothing of it",
  )
})
