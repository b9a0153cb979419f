import { join } from 'node:path'
import t, { type Test } from 'tap'
import { z } from 'zod'
import { sql } from '#db/sql.ts'
import { startWorld } from '#test/helpers/world.ts'
import { addKey } from '#test/scenes/scene.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { clientFor, directoryFor, installProgram } from '../client.ts'
import { shipped } from '../doctor/shipped.ts'
import { fakeTerragrunt } from '../job/fake-terragrunt.ts'
import { fakeTool } from '../job/fake-tool.ts'
import { git, write } from '../job/planning.ts'
import { jobOf } from '../job/stack-job.ts'
import { json, serverFor } from '../token-server.ts'

const resource = 'resource "terraform_data" "a" {}\n'

const backend = 'terraform {\n  backend "s3" {\n    bucket = "states"\n    key = "network"\n  }\n}\n'

const files = {
  'network/main.tf': resource + backend,
  '.github/workflows/svc-plan.yml': shipped('svc-plan.yml'),
  '.github/workflows/svc-run.yml': shipped('svc-run.yml'),
}

/** A clone of a repository with these files, and the client in a person's shell with a fake tool of version 1.11.4. */
const cloneOf = (t: Test, given: Record<string, string>) => {
  const dir = directoryFor(t)
  write(dir, Object.fromEntries(Object.entries(given).map(([path, text]) => [join('origin', path), text])))
  git(join(dir, 'origin'), 'init', '-q', '-b', 'main')
  git(join(dir, 'origin'), 'add', '.')
  git(join(dir, 'origin'), 'commit', '-q', '-m', 'one')
  git(dir, 'clone', '-q', 'origin', 'clone')
  write(dir, { 'bin/none': '' })
  installProgram(join(dir, 'bin/terraform'), fakeTool)
  const client = clientFor(t)
  const run = async (args: string[] = [], env: Record<string, string | undefined> = {}, cwd = join(dir, 'clone')) => {
    const ran = await client.run(['doctor', '--json', ...args], {
      cwd,
      env: { PATH: `${join(dir, 'bin')}:${process.env.PATH}`, ...env },
    })
    return {
      code: ran.code,
      findings: ran.json.findings as { check: string; status: string; says: string; todo?: string }[],
    }
  }
  return { dir, run }
}

/** The findings that are not ok, as `check: finding`. */
const wrong = (findings: { check: string; status: string; says: string }[], status = 'fail'): string[] =>
  findings.filter((one) => one.status === status).map(({ check, says }) => `${check}: ${says}`)

t.test('a complete repository gets only good findings, and hears what a person cannot examine', async (t) => {
  const { run } = cloneOf(t, files)
  const { code, findings } = await run()
  t.equal(code, 0)
  t.same([wrong(findings), wrong(findings, 'warn')], [[], []])
  t.same(
    findings.map(({ check, status }) => `${check} ${status}`),
    [
      ...['git ok', 'configuration ok', 'configuration ok', 'backend ok', 'tool ok', 'workflows ok', 'workflows ok'],
      ...['token skip', 'service skip'],
    ],
  )
})

t.test('of Terragrunt, what it runs is examined as well', async (t) => {
  const unit = 'terraform {\n  source = "../../network"\n}\n'
  const { dir, run } = cloneOf(t, { ...files, 'live/a/terragrunt.hcl': unit, '.terragrunt-version': '1.0.2\n' })
  installProgram(join(dir, 'bin/terragrunt'), fakeTerragrunt)
  const { findings } = await run([], { TG_TF_PATH: 'terraform' })
  t.same(
    findings.filter(({ check }) => check === 'tool').map(({ status, says }) => `${status}: ${says}`),
    ['warn: live/a want version 1.0.2, but 1.0.3 is installed', 'ok: terragrunt finds terraform, which is 1.11.4'],
  )
  const old = await run([], { FAKE_VERSION: '0.67.1' })
  t.match(wrong(old.findings, 'fail'), [
    /svc needs terragrunt 0\.88 or newer, but terragrunt is 0\.67\.1, and live\/a needs it/,
  ])
  const without = await run([], { TG_TF_PATH: '/nowhere/tofu' })
  t.match(wrong(without.findings, 'warn').at(-1), /terragrunt is there, but not what it runs: \/nowhere\/tofu/)
})

t.test('each missing thing is reported with what to do about it', async (t) => {
  const { 'network/main.tf': _main, ...workflows } = files
  const cases: [files: Record<string, string>, says: RegExp, todo: RegExp][] = [
    [{ 'network/main.tf': resource }, /^workflows: there is no \.github\/workflows\/svc-plan\.yml$/, /svc init/],
    [
      { ...files, 'svc.yml': 'version: 1\ntol: x\n' },
      /^configuration: svc\.yml is invalid/,
      /svc\.yml:2:1: tol: .*'tool'/,
    ],
    [workflows, /^configuration: no directory is a stack/, /discover\.include/],
    [
      {
        ...files,
        'b/main.tf': resource,
        'svc.yml': 'version: 1\nstacks: [{ match: b, depends_on: [network] }, { match: network, depends_on: [b] }]\n',
      },
      /^configuration: stacks wait for each other: b → network → b/,
      /take one/,
    ],
    [
      { ...files, 'svc.yml': 'version: 1\ntool: tofu\n' },
      /^tool: tofu cannot be started, and network needs it/,
      /install tofu/,
    ],
  ]
  await Promise.all(
    cases.map(async ([given, says, todo]) => {
      // The PATH has a terraform, and git and node by their own names.
      const { run } = cloneOf(t, given)
      const { code, findings } = await run()
      t.equal(code, 1)
      const failed = findings.find(({ status }) => status === 'fail')
      t.match(wrong(findings)[0], says)
      t.match(failed?.todo, todo)
    }),
  )
})

t.test('another version of the tool than the pinned one and a cut-off history are warnings', async (t) => {
  const { dir, run } = cloneOf(t, { ...files, 'network/.terraform-version': '1.9.8\n' })
  git(dir, 'clone', '-q', '--depth=1', `file://${join(dir, 'origin')}`, 'shallow')
  const { code, findings } = await run([], {}, join(dir, 'shallow'))
  t.equal(code, 0)
  t.match(wrong(findings, 'warn'), [
    /^git: the history is cut off/,
    /^tool: network want version 1\.9\.8, but 1\.11\.4 is installed/,
  ])
})

t.test('the svc-run.yml of the default branch counts', async (t) => {
  const { 'network/main.tf': main, '.github/workflows/svc-plan.yml': plan } = files
  const { dir, run } = cloneOf(t, { 'network/main.tf': main, '.github/workflows/svc-plan.yml': plan })
  write(join(dir, 'clone'), { '.github/workflows/svc-run.yml': files['.github/workflows/svc-run.yml'] })
  const { code, findings } = await run()
  t.equal(code, 1)
  t.match(wrong(findings), [/svc-run\.yml is not on the default branch/])
})

t.test('versions of svc, what differs from the shipped workflows, and states in local files are told', async (t) => {
  const run = shipped('svc-run.yml')
  const { run: doctor } = cloneOf(t, {
    ...{ ...files, '.github/workflows/svc-run.yml': run.replace('acme/svc@v1', 'acme/svc@v2').replace('120', '60') },
    'local/main.tf': resource,
    'open/main.tf': `${resource}${backend.replace('key = "network"', 'key = "open"\n    use_lockfile = false')}`,
  })
  const { code, findings } = await doctor()
  t.equal(code, 0)
  t.match(wrong(findings, 'warn'), [
    /^backend: local keeps its state in a local file/,
    /^backend: open turned the lock of the state off/,
    /^workflows: svc-plan\.yml takes svc v1, and svc-run\.yml takes v2$/,
  ])
  t.match(
    findings.filter(({ check, status }) => check === 'workflows' && status === 'ok').map(({ says }) => says),
    [
      /svc-plan\.yml does what this version ships \([0-9a-f]{8}\)$/,
      /svc-run\.yml has what is needed; against what this version ships \([0-9a-f]{8}\) it has 1 other lines, and lacks 1 \([0-9a-f]{8}\)$/,
    ],
  )
})

t.test('a job learns whether the service accepts its token', async (t) => {
  const world = await startWorld(t, { files })
  const changes = { 'network/main.tf': `${resource}# changed\n` }
  const pull = await world.github.openPullRequest({
    repo: 'acme/infra',
    branch: 'x',
    title: 'X',
    author: 'ada',
    changes,
  })
  const job = await jobOf(t, world, pull)
  const programs = directoryFor(t)
  installProgram(join(programs, 'terraform'), fakeTool)
  const PATH = `${programs}:${process.env.PATH}`
  const doctor = async (env: Record<string, string | undefined> = {}) => {
    const ran = await job.run(['doctor', '--json'], { env: { PATH, ...env } })
    return { code: ran.code, failed: wrong(ran.json.findings), findings: ran.json.findings }
  }
  const well = await doctor()
  t.same([well.code, well.failed], [0, []])
  t.match(
    well.findings.filter(({ check }: { check: string }) => ['token', 'service', 'clock'].includes(check)),
    [{ says: "the service accepts this job's token" }, { says: /answers, version / }, { says: /agree/ }],
  )
  t.same((await world.pool.query(sql.type(z.object({}))`select from runs`)).rows, [], 'and nothing is registered')

  const audience = await doctor({ SVC_AUDIENCE: 'somebody else' })
  t.match(audience, { code: 1, failed: [/^token: the service answers this job's token with 401/] })
  const withoutToken = await doctor({ ACTIONS_ID_TOKEN_REQUEST_URL: undefined })
  t.match(withoutToken.failed, [/^token: this job gets no OIDC token/])
  t.match((await doctor({ SVC_URL: undefined })).failed, [/^service: SVC_URL is not set/])
  t.match((await doctor({ SVC_URL: 'svc.example.com' })).failed, [
    /^service: SVC_URL: 'svc\.example\.com' is not an address/,
  ])
  const SVC_API_KEY = await addKey(world, 'ops')
  const asked = async (env: Record<string, string>) =>
    (await doctor({ SVC_API_KEY, ...env })).findings.filter(({ check }: { check: string }) =>
      ['key', 'repository'].includes(check),
    )
  t.match(await asked({}), [
    { status: 'ok', says: /as apikey:ops$/ },
    { status: 'ok', says: 'the service knows acme/infra' },
  ])
  t.match(await asked({ GITHUB_REPOSITORY: 'acme/other' }), [
    { status: 'ok' },
    { status: 'fail', says: 'the service does not know acme/other', todo: /install its app/ },
  ])
  t.match(await asked({ SVC_API_KEY: 'sk_wrong' }), [{ status: 'fail', says: /401 unauthorized/ }])
  const table = await job.run(['doctor'], { env: { PATH, SVC_URL: 'http://127.0.0.1:9' } })
  t.equal(table.code, 1)
  t.match(
    table.stdout,
    /\nskip {2}token: not tried.*\nfail {2}service: http:\/\/127\.0\.0\.1:9 cannot be reached.*\n {6}→ check SVC_URL/,
  )
})

t.test('a service without an app, one with a wrong clock, and another server are told apart', async (t) => {
  const { run } = cloneOf(t, files)
  const answering = async (body: unknown, headers: Record<string, string> = {}) => {
    const { url } = await serverFor(t, (_, response) => {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      json(response, 200, body)
    })
    return (await run([`--url=${url}`])).findings
  }
  const health = { status: 'ok', version: packageJson.version }
  t.match(wrong(await answering({ ...health, setup_mode: true })), [/^service: the service at .* has no app yet/])
  t.match(wrong(await answering({ hello: 'world' })), [
    /^service: .* answers \/healthz with 200, not as the service does/,
  ])
  const late = await answering(health, { date: new Date(Date.now() - 90_000).toUTCString() })
  t.match(wrong(await answering({ ...health, version: '7.0.0' }), 'warn'), [
    /^service: the service is version 7\.0\.0, and this client/,
  ])
  t.match(wrong(late, 'warn'), [/^clock: this machine's clock is (89|90|91) s ahead of the service's/])
})
