import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { z } from 'zod'
import { sql } from '#db/sql.ts'
import { workflowProblems } from '#runner/doctor/examine-workflow.ts'
import { startWorld } from '#test/helpers/world.ts'
import { clientFor, directoryFor, installProgram } from '../client.ts'
import { fakeTool } from '../job/fake-tool.ts'
import { git, write } from '../job/planning.ts'
import { jobOf } from '../job/stack-job.ts'
import { json, serverFor } from '../token-server.ts'

const resource = 'resource "terraform_data" "a" {}\n'

const shipped = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../src/runner/workflows', name), 'utf8').replaceAll(
    '# The action that puts svc on the PATH goes here.',
    '- uses: acme/svc@v1',
  )

const files = {
  'network/main.tf': resource,
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
      ...['git ok', 'configuration ok', 'configuration ok', 'tool ok', 'workflows ok', 'workflows ok'],
      ...['token skip', 'service skip'],
    ],
  )
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

t.test('a workflow may be changed, except for what the service needs', (t) => {
  const run = shipped('svc-run.yml')
  const plan = shipped('svc-plan.yml')
  const cases: ['svc-run.yml' | 'svc-plan.yml', string, RegExp[]][] = [
    ['svc-run.yml', run, []],
    ['svc-plan.yml', plan, []],
    ['svc-run.yml', run.replaceAll('ubuntu-latest', 'our-own').replace('name: svc run', 'name: Waves'), []],
    [
      'svc-run.yml',
      run.replace('run-name: svc', 'run-name: Wave'),
      [/^run-name must be svc \$\{\{ inputs\.mode \}\} /],
    ],
    ['svc-run.yml', run.replace(/^run-name: .*$/m, ''), [/^run-name must be/]],
    ['svc-run.yml', run.replace(/^ {6}wave: .*$/m, ''), [/^on\.workflow_dispatch\.inputs needs wave$/]],
    ['svc-run.yml', run.replace(/^ {2}id-token: write$/m, ''), [/^job stack needs permissions: id-token: write/]],
    ['svc-run.yml', run.replace(/environment: \$.*/, 'environment: prod'), [/^job stack needs environment/]],
    ['svc-run.yml', run.replace('run: svc report', 'run: echo'), [/^job stack needs a last step .* svc report/]],
    ['svc-run.yml', run.replace('exec svc run', 'make run'), [/^no job runs svc run$/]],
    [
      'svc-run.yml',
      run.replace('- uses: acme/svc@v1', '# The action that puts svc on the PATH goes here.'),
      [/^nothing puts svc on the PATH/],
    ],
    ['svc-plan.yml', plan.replace('  pull_request:', '  push:'), [/^on\.pull_request is missing$/]],
    ['svc-plan.yml', plan.replace('svc resolve', 'svc order'), [/^no job runs svc resolve$/]],
    ['svc-plan.yml', 'jobs: [\n', [/^is not YAML: /]],
    ['svc-plan.yml', 'name: x\n', [/^is not a workflow: jobs: /]],
  ]
  for (const [name, text, says] of cases) {
    const problems = workflowProblems(name, text)
    t.equal(problems.length, says.length, problems.join('; '))
    for (const [index, one] of says.entries()) t.match(problems[index], one)
  }
  t.end()
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
  const health = { status: 'ok', version: '1.2.3' }
  t.match(wrong(await answering({ ...health, setup_mode: true })), [/^service: the service at .* has no app yet/])
  t.match(wrong(await answering({ hello: 'world' })), [
    /^service: .* answers \/healthz with 200, not as the service does/,
  ])
  const late = await answering(health, { date: new Date(Date.now() - 90_000).toUTCString() })
  t.match(wrong(late, 'warn'), [/^clock: this machine's clock is (89|90|91) s ahead of the service's/])
})
