import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { startWorld } from '#test/helpers/world.ts'
import { git, write } from '../job/planning.ts'
import { jobOf } from '../job/stack-job.ts'
import { json, serverFor } from '../token-server.ts'

const resource = (name: string) => `resource "terraform_data" "${name}" {}\n`

const files = {
  'svc.yml': 'version: 1\nstacks:\n  - { match: app, depends_on: [network] }\n',
  'network/main.tf': resource('a'),
  'app/main.tf': resource('a'),
  'other/main.tf': resource('a'),
  'README.md': '# read me\n',
}

const world = await startWorld(t, { files })

let branches = 0

const openPull = async (t: Test, changes: Record<string, string>) => {
  const branch = `branch-${++branches}`
  const pull = await world.github.openPullRequest({ repo: 'acme/infra', branch, title: branch, author: 'ada', changes })
  return { pull, job: await jobOf(t, world, pull) }
}

t.test("a pull request's run is registered, its graph uploaded, and the matrix set", async (t) => {
  const { pull, job } = await openPull(t, { 'network/main.tf': resource('b') })
  const ran = await job.run(['resolve'])
  t.equal(ran.code, 2, ran.stdout)
  t.match(ran.outputs, { run_id: /^[0-9a-f-]{36}$/, any: 'true', waves: '[["network"],["app"]]', unconfirmed: 'false' })
  const { include } = JSON.parse(ran.outputs.matrix!)
  const common = { environment: 'default', tool: 'terraform', plan_output: 'full', sha: pull.headSha() }
  t.same(include, [
    { stack: 'network', key: 'network', wave: 0, ...common },
    { stack: 'app', key: 'app', wave: 1, ...common },
  ])
  t.match(ran.stdout, /2 stacks in 2 waves\nWAVE {2}STACK {4}WHY {8}VIA {6}ENVIRONMENT\n1 {5}network {2}changed/)
  t.match(ran.stdout, new RegExp(`http://svc.example.com/runs/${ran.outputs.run_id}\n`))
  t.match(ran.summary, /\| 2 \| `app` \| dependent \| `network` \|/)
  t.same(job.audiences, ['http://svc.example.com', 'http://svc.example.com'], 'a token for each request')

  const again = await job.run(['resolve', '--json'])
  t.equal(again.code, 2)
  t.equal(again.json.run_id, ran.outputs.run_id, 'the same job finds the same run')
  t.match(again.json, {
    affected: [
      { key: 'network', reasons: ['changed'] },
      { key: 'app', via: ['network'] },
    ],
    matrix: { include: [{}, {}] },
  })
  t.match(again.stderr, /2 stacks in 2 waves/)

  await pull.push({ 'network/main.tf': resource('c') })
  const late = await job.run(['resolve'])
  t.equal(late.code, 3, 'a newer head supersedes')
  t.match(late.stdout, /::error::POST .*\/v1\/runs: the service answered 409 superseded/)
})

t.test('a change that affects nothing exits 0', async (t) => {
  const { job } = await openPull(t, { 'README.md': '# read it\n' })
  const ran = await job.run(['resolve'])
  t.equal(ran.code, 0)
  t.match(ran.outputs, { any: 'false', matrix: '{"include":[]}', waves: '[]' })
  t.match(ran.stdout, /no stack is affected/)
})

t.test('a cycle fails the job, and is spelled out', async (t) => {
  const cycle =
    'version: 1\nstacks:\n  - { match: app, depends_on: [network] }\n  - { match: network, depends_on: [app] }\n'
  const { job } = await openPull(t, { 'svc.yml': cycle, 'app/main.tf': resource('b') })
  const ran = await job.run(['resolve'])
  t.equal(ran.code, 1)
  t.match(ran.stdout, /::error::cycle: app → network → app\n/)
  t.match(ran.outputs, { any: 'false', matrix: '{"include":[]}' })
  t.match(ran.summary, /cycle: `app → network → app`/)
})

t.test('an invalid svc.yml is reported with every problem in its place, before anything is registered', async (t) => {
  const { job } = await openPull(t, { 'svc.yml': 'version: 1\ndiscovr: {}\nstacks:\n  - match: 4\n' })
  const ran = await job.run(['resolve'])
  t.equal(ran.code, 1)
  t.match(
    ran.stdout,
    /::error file=svc\.yml,line=2,col=1::discovr: 'discovr' is not known here: did you mean 'discover'\?\n/,
  )
  t.match(ran.stdout, /::error file=svc\.yml,line=4,col=12::stacks\[0\]\.match: expected text/)
  t.match(ran.stdout, /::error::svc\.yml has 2 problems/)
  t.same(job.audiences, [])
})

t.test('a configuration cannot hide a stack, and its files come along in the matrix', async (t) => {
  const instances = 'instances: { blue: { workspace: blue, var_files: [blue.tfvars] } }'
  const world = await startWorld(t, {
    files: {
      ...files,
      'svc.yml': `version: 1\nstacks:\n  - { match: app, ${instances} }\n`,
      'app/blue.tfvars': 'a = 1\n',
    },
  })
  const first = await world.github.openPullRequest({
    repo: 'acme/infra',
    branch: 'first',
    title: 'F',
    author: 'ada',
    changes: { 'app/main.tf': resource('b') },
  })
  t.equal((await (await jobOf(t, world, first)).run(['resolve'])).code, 2, 'the service knows a graph')
  const pull = await world.github.openPullRequest({
    repo: 'acme/infra',
    branch: 'hide',
    title: 'H',
    author: 'ada',
    changes: { 'svc.yml': 'version: 1\ndiscover: { exclude: [app] }\n', 'app/main.tf': resource('c') },
  })
  const ran = await (await jobOf(t, world, pull)).run(['resolve'])
  t.equal(ran.code, 2, ran.stdout)
  t.match(JSON.parse(ran.outputs.matrix!).include, [{ key: 'app:blue', workspace: 'blue', var_files: ['blue.tfvars'] }])
  t.match(ran.stdout, /::warning::planned because of the default branch's svc\.yml/)
})

t.test('the client answers for a service that cannot be reached, unconfirmed', async (t) => {
  const { job } = await openPull(t, {
    'svc.yml': 'version: 1\ndiscover: { exclude: [app] }\n',
    'app/main.tf': resource('b'),
  })
  const { url, asked } = await serverFor(t, (_, response) => json(response, 502, {}))
  const ran = await job.run(['resolve'], { env: { SVC_URL: url } })
  t.equal(ran.code, 2, ran.stdout)
  t.equal(asked.length, 4)
  t.match(ran.outputs, { run_id: '', any: 'true', unconfirmed: 'true' })
  t.match(JSON.parse(ran.outputs.matrix!).include, [{ key: 'app' }], "the base's configuration counts here too")
  t.match(ran.stdout, /::warning::.*Going on with the client's own answer, which is unconfirmed/)
  t.match(ran.summary, /The service could not be reached/)
  const tokens = asked.map(({ authorization }) => authorization)
  t.equal(new Set(tokens).size, 4, 'each attempt had its own token')
})

t.test('a graph that gets lost on its way leaves the registered run', async (t) => {
  const { job } = await openPull(t, { 'network/main.tf': resource('b') })
  const { url } = await serverFor(t, async ({ path, authorization, body }, response) => {
    if (path.endsWith('/graph')) return json(response, 503, {})
    const headers = { authorization: authorization ?? '', 'content-type': 'application/json' }
    const answer = await fetch(`${world.service.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    json(response, answer.status, await answer.json())
  })
  const ran = await job.run(['resolve'], { env: { SVC_URL: url } })
  t.equal(ran.code, 2)
  t.match(ran.outputs, { run_id: /^[0-9a-f-]{36}$/, unconfirmed: 'true', any: 'true' })
})

t.test('a job without a token says so and passes', async (t) => {
  const { job } = await openPull(t, { 'network/main.tf': resource('b') })
  job.writeEvent(99)
  const ran = await job.run(['resolve'], { env: { ACTIONS_ID_TOKEN_REQUEST_URL: undefined } })
  t.equal(ran.code, 0)
  t.match(ran.stdout, /::warning::a pull request from a fork gets no OIDC token/)
  t.match(ran.outputs, { any: 'false', run_id: '', matrix: '{"include":[]}' })
})

t.test('what the checkout lacks is reported with what would be right', async (t) => {
  const { job, pull } = await openPull(t, { 'network/main.tf': resource('b') })
  const expectError = async (said: RegExp, args: string[] = [], env: Record<string, string | undefined> = {}) => {
    const ran = await job.run(['resolve', ...args], { env })
    t.equal(ran.code, 1, String(said))
    t.match(ran.stdout, said)
  }
  git(job.root, 'checkout', '-q', 'main')
  await expectError(
    /::error::[0-9a-f]{40} is checked out, but the head of the change is [0-9a-f]{40}: give actions\/checkout ref/,
  )
  git(job.root, 'checkout', '-q', '--detach', pull.headSha())
  await expectError(/--base: the checkout has no commit nowhere: fetch it/, ['--base', 'nowhere'])
  await expectError(/svc resolve is for a job of a pull_request or merge_group event/, [], {
    GITHUB_EVENT_PATH: undefined,
  })
  await expectError(/--pr=x: expected the number of a pull request/, ['--pr', 'x'])
  await expectError(/GITHUB_EVENT_PATH: reading .*: ENOENT/, [], { GITHUB_EVENT_PATH: '/nowhere' })
  await expectError(/SVC_URL: 'svc' is not an address such as/, [], { SVC_URL: 'svc' })
  writeFileSync(join(job.dir, 'odd.json'), '{"action":"completed"}')
  await expectError(/is for a job of a pull_request or merge_group event/, [], {
    GITHUB_EVENT_PATH: join(job.dir, 'odd.json'),
  })
  const shallow = join(job.dir, 'shallow')
  git(
    job.dir,
    'clone',
    '-q',
    '--depth=1',
    `--branch=${pull.now().headRef}`,
    `file://${world.repository.gitDir}`,
    shallow,
  )
  t.match(
    (await job.run(['resolve'], { cwd: shallow })).stdout,
    /--base: the checkout has no commit [0-9a-f]{40}: fetch it/,
  )
  git(shallow, 'fetch', '-q', '--depth=1', 'origin', 'main')
  t.match(
    (await job.run(['resolve'], { cwd: shallow })).stdout,
    /no commit in common: the checkout is shallow, and needs all history/,
  )
  t.same(job.audiences, [], 'nothing was asked of the service')
})

t.test('a graph above 8 MB is refused before anything is sent', async (t) => {
  const { job } = await openPull(t, { 'network/main.tf': resource('b') })
  const long = 'a-name-that-is-rather-long-so-that-there-need-not-be-so-many-of-them'
  const many = Array.from({ length: 2200 }, (_, i) => [
    `stacks/${long}/${long}/${i}/main.tf`,
    `${resource('a')}module "m" { source = "../../../../modules/m" }\n`,
  ])
  write(job.root, { ...Object.fromEntries(many), 'modules/m/main.tf': resource('m') })
  rmSync(join(job.root, 'svc.yml'))
  const watched = Array.from({ length: 60 }, (_, i) => `shared/${long}/${i}.hcl`)
  writeFileSync(
    join(job.root, 'svc.yml'),
    `version: 1\nstacks:\n  - match: "stacks/**"\n    watch_paths: [${watched.join(', ')}]\n`,
  )
  const ran = await job.run(['resolve'])
  t.equal(ran.code, 1)
  t.match(
    ran.stdout,
    /::error::the graph is too large: 220\d stacks, \d+ edges and 1 changed paths make \d+\.\d MB, but the service accepts 8 MB/,
  )
  t.same(job.audiences, [])
})

t.test('more stacks than a matrix may have jobs are grouped', async (t) => {
  const many = Array.from({ length: 300 }, (_, i) => [`stacks/${i}/main.tf`, resource('a')])
  const { job } = await openPull(t, Object.fromEntries(many))
  const ran = await job.run(['resolve', '--json'])
  t.equal(ran.code, 2, ran.stderr)
  const { include } = JSON.parse(ran.outputs.matrix!)
  t.equal(include.length, 150)
  t.equal(include.flatMap((one: { stacks: string[] }) => one.stacks).length, 300)
  t.equal(ran.json.affected.length, 300)
  t.match(ran.stderr, /300 stacks in 150 jobs/)
})
