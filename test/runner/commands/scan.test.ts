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
  const broken = await run(['scan'])
  t.equal(broken.code, 0)
  t.match(broken.stderr, /^warning: broken\/main\.tf:\d+:\d+: (?!broken)/, 'its place is said once')
})

t.test("no name in a job's log is a command to its runner", async (t) => {
  const { start } = checkoutOf(t, { 'svc.yml': 'version: 1\n', '::stop-commands::x/main.tf': resource('a') })
  const ran = await start(['scan', '--format=table'], { GITHUB_ACTIONS: 'true' })
  t.notMatch(ran.stdout, /^\s*::/m)
  t.match(ran.stdout, /stop-commands::x/)
})
