import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import t, { type Test } from 'tap'
import { buildInto } from '#dev/build.ts'
import { startEmulator } from '#emulator/emulator.ts'
import { applicationEnv } from '#test/helpers/application-env.ts'
import { testDatabase } from '#test/helpers/database.ts'
import { playJob } from '#test/helpers/runner.ts'
import { serviceEnvironment } from '#test/helpers/service-environment.ts'
import { until } from '#test/helpers/until.ts'
import { clientFor } from '#test/runner/client.ts'
import packageJson from '../../package.json' with { type: 'json' }

/* The release: each program is one file that needs nothing but Node, outside node_modules and far from the sources. */

const { PATH = '' } = applicationEnv()

const root = join(import.meta.dirname, '../..')

const dir = t.testdir({ repository: { network: { 'main.tf': 'resource "terraform_data" "a" {}\n' } } })
const bin = join(dir, 'dist/bin')
await buildInto(join(dir, 'dist'), 'c0ffee')

type Ran = { code: number; stdout: string; stderr: string }

const run = async (command: string, args: string[], env: Record<string, string> = {}): Promise<Ran> => {
  const child = spawn(command, args, { cwd: dir, env: { PATH, HOME: dir, ...env } })
  const ran = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    ran.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    ran.stderr += chunk
  })
  const [code] = await once(child, 'close')
  return { code, ...ran }
}

t.test('the package to publish names the programs and needs no other package', async (t) => {
  const { bin: bins, ...rest } = JSON.parse(readFileSync(join(dir, 'dist/package.json'), 'utf8'))
  t.equal(rest.version, packageJson.version)
  t.notOk('dependencies' in rest || 'scripts' in rest || 'private' in rest)
  for (const [name, file] of Object.entries<string>(bins)) {
    const ran = await run(join(dir, 'dist', file), ['--help'])
    t.match(ran, { code: 0, stdout: new RegExp(`\\b${name}\\b`), stderr: '' }, name)
  }
})

t.test('the client answers as it does from its sources', async (t) => {
  const args = ['scan', join(dir, 'repository'), '--repo=acme/infra', '--no-cache']
  const bundled = await run(process.execPath, [join(bin, 'svc.mjs'), ...args])
  const { code, stdout } = await clientFor(t).run(args, { cwd: dir })
  t.match(JSON.parse(stdout), { stacks: [{ key: 'network' }] })
  t.same(bundled, { code, stdout, stderr: '' })
})

t.test('from their sources the programs start by the names that package.json gives them', async (t) => {
  for (const [name, file] of Object.entries(packageJson.bin))
    t.match(await run(process.execPath, [join(root, file), '--help']), { code: 0, stdout: name, stderr: '' }, name)
})

/** A Node that says it is an older one, and those on this machine that are. */
const olderNodes = async (): Promise<string[][]> => {
  const says = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } })"
  const found: string[][] = [[process.execPath, `--import=data:text/javascript,${encodeURIComponent(says)}`]]
  for (const folder of new Set((process.env.PATH ?? '').split(':'))) {
    const node = join(folder, 'node')
    if (!existsSync(node)) continue
    const { stdout } = await run(node, ['--version'])
    if (Number(/^v(\d+)/.exec(stdout)?.[1]) < 24) found.push([node])
  }
  return found
}

t.test('an older Node is told what is needed, in one sentence', async (t) => {
  for (const [node = '', ...flags] of await olderNodes())
    for (const [file, words] of [
      [join(bin, 'svc.mjs'), 'error: svc'],
      [join(bin, 'svc-server.mjs'), 'svc-server: svc-server'],
      [join(root, packageJson.bin.svc), 'error: svc'],
      [join(root, packageJson.bin['svc-server']), 'svc-server: svc-server'],
    ] as const) {
      const ran = await run(node, [...flags, file, '--version'])
      t.same([ran.code, ran.stdout], [1, ''], `${file} with ${node}`)
      t.match(
        ran.stderr,
        new RegExp(`^${words} needs Node 24 or newer, and this is Node 20\\.\\d+\\.\\d+: install .+\n$`),
      )
    }
})

/** At its end a program says how much processor time it took, in ms. */
const tellsTime = `--import=data:text/javascript,${encodeURIComponent(
  "process.on('exit', () => { const { user, system } = process.cpuUsage(); process.stderr.write(String((user + system) / 1000)) })",
)}`

const leastOf = async (...program: string[]): Promise<number> => {
  const taken: number[] = []
  for (let start = 0; start < 5; start += 1)
    taken.push(Number((await run(process.execPath, [tellsTime, ...program])).stderr))
  return Math.round(Math.min(...taken))
}

t.test('the client starts soon, since a command is loaded when it is called for', async (t) => {
  // 45 ms where the client takes 100; machines differ
  const bare = await leastOf('-e', '0')
  for (const word of ['--version', 'help']) {
    const ms = await leastOf(join(bin, 'svc.mjs'), word)
    t.comment(`svc ${word}: ${ms} ms, Node alone: ${bare} ms`)
    t.ok(bare > 0 && ms > bare && ms < 3 * bare, `svc ${word} took ${ms} ms, Node alone ${bare} ms`)
  }
})

t.test('the action puts the client on the PATH of later steps, run by the Node that ran the action', async (t) => {
  const action = readFileSync(join(root, 'action.yml'), 'utf8')
  const [, main = ''] = /^ {2}using: node24\n {2}main: (.+)$/m.exec(action) ?? []
  const added = join(dir, 'added')
  writeFileSync(added, '')
  const job = { GITHUB_PATH: added, RUNNER_TEMP: join(dir, "temp's") }
  t.match(await run(process.execPath, [join(dir, main)], job), { code: 0, stdout: '', stderr: '' })
  const [directory = ''] = readFileSync(added, 'utf8').split('\n')
  // No Node among these programs, and none of the action's variables.
  const ran = await run('/bin/sh', ['-c', 'svc validate --json "no such file"'], { PATH: `${directory}:/bin` })
  t.equal(ran.code, 1)
  t.match(JSON.parse(ran.stdout), { error: { code: 'not_found', message: /no such file/ } })
  t.match(await run(process.execPath, [join(dir, main)]), { code: 1, stderr: /GITHUB_PATH is not set/ })
})

/** A database that no migration has seen. */
const emptyDatabase = async (t: Test): Promise<string> => {
  const { url } = await testDatabase(t)
  const name = `built-${process.pid}`
  const admin = new Client(url)
  await admin.connect()
  await admin.query(`create database "${name}"`)
  t.teardown(async () => {
    await admin.query(`drop database "${name}" with (force)`)
    await admin.end()
  })
  return Object.assign(new URL(url), { pathname: `/${name}` }).href
}

t.test('the server brings its schema, reports its version, and resolves a large graph in its thread', async (t) => {
  const databaseUrl = await emptyDatabase(t)
  const github = await startEmulator({ dataDir: join(dir, 'hub') })
  t.teardown(() => github.close())
  github.createInstallation({ account: 'acme', type: 'Organization' })
  const repository = await github.createRepository({ owner: 'acme', name: 'infra', files: { 'a/main.tf': '' } })
  const env = { ...serviceEnvironment(github, databaseUrl), PATH }
  const server = spawn(process.execPath, [join(bin, 'svc-server.mjs')], { cwd: dir, env })
  server.stderr.on('data', (chunk) => t.fail(String(chunk)))
  t.teardown(() => server.kill('SIGKILL'))
  let url = ''
  for await (const line of createInterface(server.stdout)) {
    const { msg, port } = JSON.parse(line)
    if (msg === 'listening') url = `http://127.0.0.1:${port}`
    if (url !== '') break
  }
  server.stdout.resume()
  t.match(await (await fetch(`${url}/healthz`)).json(), { status: 'ok', version: packageJson.version })
  t.match(
    await (await fetch(`${url}/metrics`)).text(),
    `svc_build_info{version="${packageJson.version}",commit="c0ffee"} 1`,
  )

  const page = await fetch(`${url}/runs/1`)
  t.match(
    page.headers.get('content-security-policy'),
    /require-trusted-types-for 'script'/,
    'the web interface is there',
  )
  const [, script = ''] = /<script type="module"[^>]* src="([^"]+)"/.exec(await page.text()) ?? []
  t.match(await fetch(`${url}${script}`), { status: 200 })

  const changes = { 'a/main.tf': '# changed' }
  const opened = { repo: repository.fullName, branch: 'x', title: 'X', author: 'ada', changes }
  const job = playJob({ github, repository, service: { url } }, await github.openPullRequest(opened))
  let run = await job.open()
  await until(async () => {
    // As long as the service has not asked which accounts have the app installed.
    if (run.status === 403) run = await job.open()
    return run.status !== 403
  })
  t.equal(run.status, 201)
  const keys = ['a', ...Array.from({ length: 2_000 }, (_, index) => `some/where/below/stack-${index}`)]
  const stacks = keys.map((key) => {
    const backend = { type: 's3', bucket: 'acme-state', key, region: 'eu-central-1' }
    return { key, path: key, backend, environment: 'default', tool: 'terraform', plan_output: 'full' }
  })
  t.ok(JSON.stringify(stacks).length > 256 * 1024, 'too large to resolve in between')
  const resolved = await job.upload(run.body.run_id, { graph: { stacks }, changed_paths: ['a/main.tf'] })
  t.match(resolved, { status: 200, body: { waves: [['a']] } })

  server.kill('SIGTERM')
  t.same(await once(server, 'exit'), [0, null])
})
