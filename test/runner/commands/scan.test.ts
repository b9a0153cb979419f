import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { checkoutOf, resource } from '../checkout.ts'
import { git, write } from '../job/planning.ts'

t.test('scan prints the graph in the format asked for', async (t) => {
  const { root, run, start } = checkoutOf(t)
  const sha = git(root, 'rev-parse', 'HEAD')
  const asJson = await start(['scan', '--repo=acme/infra'])
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
  symlinkSync('nowhere.tf', join(root, 'app/gone.tf'))
  const broken = await run(['scan'])
  t.equal(broken.code, 0)
  t.match(broken.stderr, /^warning: broken\/main\.tf:\d+:\d+: (?!broken)/m, 'its place is said once')
  t.match(broken.stderr, /^warning: app\/gone\.tf is a link to nowhere\.tf/m)
})

t.test("no name in a job's log is a command to its runner", async (t) => {
  const { start } = checkoutOf(t, { 'svc.yml': 'version: 1\n', '::stop-commands::x/main.tf': resource('a') })
  const ran = await start(['scan', '--format=table'], { GITHUB_ACTIONS: 'true' })
  t.notMatch(ran.stdout, /^\s*::/m)
  t.match(ran.stdout, /stop-commands::x/)
})

t.test('warnings are shown kind by kind, the first few of each, and --json has them all', async (t) => {
  const broken = Array.from({ length: 8 }, (_, i) => [`broken${i}/main.tf`, 'resource "a" {\n'])
  const { run } = checkoutOf(t, {
    ...Object.fromEntries(broken),
    'long/main.tf': `data "terraform_remote_state" "${'x'.repeat(2000)}" {\n  backend = "oss"\n}\n`,
    'svc.yml': 'version: 1\nstacks: [{ match: gone }]\n',
  })
  const told = await run(['scan', '--format=table'])
  const lines = told.stderr.trimEnd().split('\n')
  t.equal(lines.length, 8, told.stderr)
  t.match(lines[5], /^and 3 more of syntax; svc scan --json lists all$/)
  t.match(lines[6], /^warning: long\/main\.tf:1: terraform_remote_state 'x+… \(1\d\d\d more characters\)$/)
  const all = await run(['scan', '--json'])
  t.match(all.json, { repo: /^local\//, stacks: [{ key: 'broken0' }] }, 'the graph')
  t.equal(all.json.warnings.length, 10)
  t.match(all.json.warnings[7], { code: 'syntax', file: 'broken7/main.tf' })
  t.match(all.json.warnings[8].message, /x{2000}': states of backend oss are not compared/)
  t.equal((await run(['scan', '--format=json'])).json.warnings, undefined, 'the pure graph, as it is uploaded')
  t.match((await run(['order', '--json'])).json, { waves: [{}], scan_warnings: { length: 10 } })
})
