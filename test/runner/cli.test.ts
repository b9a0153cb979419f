import { join } from 'node:path'
import t, { type Test } from 'tap'
import { commands } from '../../src/runner/commands/index.ts'
import { clientFor, directoryFor } from './client.ts'
import { git, write } from './planning.ts'

const resource = (name: string) => `resource "terraform_data" "${name}" {}\n`

const files = {
  'svc.yml': 'version: 1\nstacks:\n  - { match: app, depends_on: [network] }\n',
  'network/main.tf': resource('a'),
  'app/main.tf': resource('a'),
}

/** A checkout with these files, committed, and the client in a person's shell. */
const checkoutOf = (t: Test, given: Record<string, string> = files) => {
  const root = directoryFor(t)
  git(root, 'init', '-q', '-b', 'main')
  write(root, given)
  git(root, 'add', '.')
  git(root, 'commit', '-q', '-m', 'one')
  const client = clientFor(t)
  const run = (args: readonly string[], env: Record<string, string> = {}, cwd = root) => client.run(args, { cwd, env })
  return { root, run }
}

t.test('every command says how it is used', async (t) => {
  const { run } = checkoutOf(t)
  const help = await run(['--help'])
  t.equal(help.code, 0)
  for (const { name, says } of commands) t.ok(help.stdout.includes(`  ${name}`) && help.stdout.includes(says), name)
  await Promise.all(
    commands.map(async ({ name, flags }) => {
      const ran = await run([name, '--help', '--whatever'])
      t.equal(ran.code, 0, name)
      t.match(ran.stdout, new RegExp(`^Usage: svc ${name} `))
      for (const flag of Object.keys(flags)) t.ok(ran.stdout.includes(`--${flag}`), `${name} --${flag}`)
    }),
  )
  const about = await run(['help', 'apply'])
  t.equal(about.code, 0)
  t.match(about.stdout, /^Usage: svc apply .*refuses or cannot be reached, the tool is not started at all/s)
  const unknown = await run(['help', 'aply'])
  t.same([unknown.code, unknown.stderr], [1, "error: 'aply' is no command: did you mean svc apply?\n"])
  t.match((await run(['--version'])).stdout, /^\d+\.\d+\.\d+\n$/)
  t.match((await run(['--version', '--json'])).json, { version: /^\d+\.\d+\.\d+$/ })
  t.equal((await run([])).code, 1, 'no command is no success')
})

t.test('what is not known is told with the nearest that is', async (t) => {
  const { run } = checkoutOf(t)
  const table = [
    [['resovle'], /^error: 'resovle' is no command: did you mean svc resolve\?\n$/],
    [['-v', 'scan'], /^error: -v: a command comes first/],
    [['scan', '--fromat=dot'], /^error: --fromat is not known here: did you mean --format\? \('svc scan --help' says/],
    [['scan', '-x'], /^error: -x is not known here \('svc/],
    [['plan', '--zzz'], /^error: --zzz is not known here \('svc plan --help' says how it is used\)\n$/],
    [['xyzzy'], /^error: 'xyzzy' is no command \('svc --help' lists them\)\n$/],
    [['scan', 'nowhere'], /^error: .*nowhere: is no directory\n$/],
    [['scan', '--format'], /^error: --format needs a value: --format=FORMAT/],
    [['scan', '--format', '--no-cache'], /^error: --format needs a value/],
    [['scan', '--no-cache=yes'], /^error: --no-cache takes no value/],
    [['scan', '--format=tabel'], /^error: --format=tabel: expected json, dot, mermaid, table; did you mean table\?/],
    [['scan', 'a', 'b'], /^error: 'b' is one argument too many/],
    [['scan', '--', 'x'], /^error: '--' and what follows it mean nothing here/],
    [['order', '--base=main', '--changed=a'], /^error: --changed and --base exclude each other/],
    [['order', '--base=nowhere'], /^error: nowhere and HEAD have no commit in common/],
    [['order', '--changed=../elsewhere'], /^error: --changed=\.\.\/elsewhere: is not in the repository/],
    [['order', '--config=none.yml'], /^error: there is no file .*none\.yml/],
    [['plan'], /^error: no stack is named/],
  ] as const
  await Promise.all(
    table.map(async ([args, said]) => {
      const ran = await run(args)
      t.equal(ran.code, 1, args.join(' '))
      t.match(ran.stderr, said)
      t.equal(ran.stdout, '')
    }),
  )
  const asJson = await run(['order', '--json', '--base=nowhere'])
  t.equal(asJson.code, 1)
  t.match(
    asJson.json,
    { error: { code: 'invalid', message: /no commit in common/ } },
    'an error is JSON too where JSON is wanted',
  )
})

t.test('scan prints the graph in the format asked for', async (t) => {
  const { root, run } = checkoutOf(t)
  const sha = git(root, 'rev-parse', 'HEAD')
  const asJson = await run(['scan', '--repo=acme/infra'])
  t.equal(asJson.code, 0)
  t.match(asJson.json, {
    repo: 'acme/infra',
    sha,
    stacks: [{ key: 'app' }, { key: 'network' }],
    edges: [{ type: 'depends_on' }],
  })
  t.match((await run(['scan', '--json'])).json, { repo: /^local\// })
  git(root, 'remote', 'add', 'origin', 'git@git.example.com:acme/net-works.git')
  const [dot, mermaid, table, elsewhere, below] = await Promise.all([
    run(['scan', '--format=dot']),
    run(['scan', '--format', 'mermaid']),
    run(['scan', '--format=table', '--no-cache']),
    run(['scan', root], {}, '/'),
    run(['scan'], {}, join(root, 'app')),
  ])
  t.match(dot.stdout, /^digraph "acme\/net-works" \{/)
  t.match(mermaid.stdout, /^flowchart LR\n/)
  t.match(table.stdout, /^STACK .*\napp .*network.*\n/)
  for (const same of [elsewhere, below]) t.match(same.json, { repo: 'acme/net-works', sha, stacks: [{}, {}] })
  write(root, { 'broken/main.tf': 'resource "a" {\n' })
  const broken = await run(['scan'])
  t.equal(broken.code, 0)
  t.match(broken.stderr, /^warning: broken\/main\.tf:\d+:\d+: /)
})

t.test('validate tells every problem of a configuration with its place', async (t) => {
  const wrong = 'version: 1\ntol: terraform\nstacks:\n  - match: "["\n    depends_on: [/a]\n'
  const { root, run } = checkoutOf(t, { ...files, 'wrong.yml': wrong, 'worse.yml': 'a: [\n' })
  const valid = await run(['validate'])
  t.same([valid.code, valid.stdout, valid.stderr], [0, 'svc.yml is valid\n', ''])
  const ran = await run(['validate', 'wrong.yml'])
  t.equal(ran.code, 1)
  t.match(ran.stderr, /^error: wrong\.yml:2:1: tol: 'tol' is not known here: did you mean 'tool'\?\n/)
  t.match(
    ran.stderr,
    /\nerror: wrong\.yml:4:12: stacks\[0\]\.match: .*\nerror: wrong\.yml:5:18: stacks\[0\]\.depends_on\[0\]: /,
  )
  const asJson = await run(['validate', 'wrong.yml', '--json'])
  t.equal(asJson.code, 1)
  t.match(asJson.json, { file: 'wrong.yml', valid: false, problems: [{ key: 'tol', line: 2, column: 1 }, {}, {}] })
  t.match((await run(['validate', '--json'])).json, { valid: true, problems: [] })
  const inJob = await run(['validate', 'worse.yml'], { GITHUB_ACTIONS: 'true' })
  t.equal(inJob.code, 1)
  t.match(inJob.stdout, /^::error file=worse\.yml,line=\d+,col=\d+::/)
  t.match((await run(['validate', 'none.yml'])).stderr, /there is no file .*none\.yml/)
  t.equal((await run(['validate'], {}, join(root, 'app'))).code, 0, 'from anywhere in the checkout')
})

t.test('order says what a change affects, without the service', async (t) => {
  const { root, run } = checkoutOf(t)
  const all = await run(['order'])
  t.equal(all.code, 2)
  t.match(all.stdout, /^2 stacks in 2 waves\nWAVE {2}STACK {4}WHY/)
  const changed = await run(['order', '--changed', 'main.tf', '--json'], {}, join(root, 'network'))
  t.equal(changed.code, 2)
  t.match(changed.json, {
    waves: [['network'], ['app']],
    unconfirmed: true,
    affected: [{ reasons: ['changed'] }, { via: ['network'] }],
  })
  const none = await run(['order', '--changed=README.md'])
  t.same([none.code, none.stdout], [0, 'no stack is affected\n'])
  t.equal((await run(['order', '--base=main'])).code, 0)
  write(root, { 'app/more.tf': resource('b') })
  t.match((await run(['order', '--base=main', '--json'])).json, { waves: [['app']] }, 'new files count')
  write(root, {
    'other.yml': 'version: 1\nstacks: [{ match: app, depends_on: [network] }, { match: network, depends_on: [app] }]\n',
  })
  const circle = await run(['order', '--config=other.yml', '--changed=app/more.tf'])
  t.equal(circle.code, 1)
  t.match(circle.stderr, /error: cycle: app → network → app/)
  write(root, { 'svc.yml': 'version: 2\n' })
  const invalid = await run(['order'])
  t.equal(invalid.code, 1)
  t.match(invalid.stderr, /^error: svc\.yml:1:10: version: expected 1\nerror: svc\.yml has a problem\n$/)
})

t.test('a person resolves without registering anything', async (t) => {
  const { root, run } = checkoutOf(t)
  git(root, 'checkout', '-q', '-b', 'topic')
  write(root, { 'app/main.tf': resource('b') })
  git(root, 'commit', '-q', '-a', '-m', 'two')
  const ran = await run(['resolve', '--base=main', '--json'])
  t.equal(ran.code, 2)
  t.match(ran.json, { unconfirmed: true, waves: [['app']] })
  const unknown = await run(['resolve', '--base=main', '--stack=nowhere'])
  t.equal(unknown.code, 1)
  t.match(unknown.stderr, /there is no stack nowhere/)
  t.match((await run(['resolve'])).stderr, /--base: the checkout has no commit origin\/HEAD/)
})

t.test("colour is for terminals, and never in a job's commands", async (t) => {
  const { run } = checkoutOf(t)
  t.notMatch((await run(['order'])).stdout, '\u001b')
  t.ok((await run(['order'], { FORCE_COLOR: '1' })).stdout.startsWith('\u001b[1m2 stacks'))
  const asJson = await run(['validate', '--json', 'none.yml'], { FORCE_COLOR: '1', GITHUB_ACTIONS: 'true' })
  t.notMatch(asJson.stdout, '\u001b')
  t.match(asJson.stderr, /^::error::there is no file/)
})

t.test("names in a job's log are no commands to its runner", async (t) => {
  const { run } = checkoutOf(t, { 'svc.yml': 'version: 1\n', '::stop-commands::x/main.tf': resource('a') })
  const ran = await run(['scan', '--format=table'], { GITHUB_ACTIONS: 'true' })
  t.notMatch(ran.stdout, /^\s*::/m)
  t.match(ran.stdout, /stop-commands::x/)
})
