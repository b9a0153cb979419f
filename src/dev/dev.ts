import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { type DemoChange, demoChanges } from './demo-changes.ts'
import { startDemoHub } from './demo-hub.ts'
import { postgresDirectory, startPostgres } from './postgres.ts'

/*
 * npm run dev
 *
 * The service, restarted at each change of a file that it imports, with a Postgres and an emulated code host that outlive
 * the restarts. The database is new at each start of this program, as the code host's repositories are. DATABASE_URL
 * names another server's database, which is then left as it is.
 */

const serviceUrl = 'http://127.0.0.1:8080'

const ownDatabase = async (): Promise<{ url: string; shown: string; stop(): Promise<void> }> => {
  const given = process.env.DATABASE_URL
  if (given) return { url: given, shown: 'as DATABASE_URL says', stop: async () => {} }
  const server = await startPostgres({ dir: postgresDirectory('dev') })
  const admin = new Client({ connectionString: server.url })
  await admin.connect()
  await admin.query('drop database if exists svc with (force)')
  await admin.query('create database svc')
  await admin.end()
  const url = new URL('/svc', server.url).href
  return { url, shown: url, stop: server.stop }
}

const dataDir = await mkdtemp(join(tmpdir(), 'svc-dev-'))
const database = await ownDatabase()
const hub = await startDemoHub({ dataDir, serviceUrl })

const child = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', join(import.meta.dirname, 'unpaced-service.ts')],
  {
    env: {
      SVC_LOG_FORMAT: 'text',
      SVC_LOG_LEVEL: 'debug',
      ...process.env,
      ...hub.serviceEnv,
      DATABASE_URL: database.url,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  },
)

console.log(`service    ${serviceUrl}/healthz
code host  ${hub.emulator.webUrl}/${hub.repository.fullName}
database   ${database.shown}
planning   ${hub.tool ?? 'recorded plans (neither terraform nor tofu is on the path)'}

Enter opens the next pull request, Ctrl-C ends all of it.`)

const waiting: DemoChange[] = Object.values<DemoChange>(demoChanges)
const opened = new Set<string>()

const openNext = async (): Promise<void> => {
  const next = waiting.shift()
  if (!next) return console.log('all pull requests of the demo are open')
  // A second change of a branch is a push to the pull request that is open already, which supersedes its run.
  if (opened.has(next.branch)) return openNext()
  opened.add(next.branch)
  const pull = await hub.open(next, 'ada')
  console.log(`opened ${pull.url}: ${next.title}`)
}

createInterface({ input: process.stdin }).on('line', () => {
  openNext().catch((error) => console.error(error))
})

const end = async (): Promise<void> => {
  child.kill('SIGTERM')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  await hub.close()
  await database.stop()
  await rm(dataDir, { recursive: true, force: true })
  process.exit(0)
}
process.once('SIGINT', end)
process.once('SIGTERM', end)
