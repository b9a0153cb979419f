import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type DemoChange, demoChanges } from './demo-changes.ts'
import { startDemoHub } from './demo-hub.ts'
import { createEnding } from './ending.ts'
import { directoriesOf, removeData, removeLeftovers, self } from './leftovers.ts'
import { startOwnDatabase } from './own-database.ts'
import { answers, freePort } from './postgres/cluster.ts'
import { startUiServer } from './ui-server.ts'

/*
 * npm run dev
 *
 * The service, restarted at each change of a file that it imports, behind the web interface, which shows each change at once; with a
 * Postgres and an emulated code host that outlive the restarts. Each start of this program makes new ones and its end removes them, so several may run; DATABASE_URL names a
 * server to use instead.
 */

if (process.argv.length > 2) {
  console.log(`Usage: npm run dev

The service, restarted at each change of a file, its web interface, which shows each change at once, a Postgres and an emulated code
host, until Ctrl-C. It takes no arguments;
DATABASE_URL names a database server to use instead.`)
  process.exit(['--help', '-h'].includes(process.argv[2] ?? '') ? 0 : 1)
}

const ending = createEnding(console.error)
await removeLeftovers('dev')
const { data } = directoriesOf('dev', self)
ending.later(() => removeData(data))
await mkdir(data, { mode: 0o700 })
const port = (await answers(8080)) ? await freePort() : 8080
// the public address is that of the web interface, and the service is behind it
const serviceUrl = `http://127.0.0.1:${port}`
const behind = `127.0.0.1:${await freePort()}`
const [databaseUrl, hub] = await Promise.all([
  startOwnDatabase('dev', ending),
  ending.keep(startDemoHub({ dataDir: data, serviceUrl }), (started) => started.close()),
])

const service = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', join(import.meta.dirname, 'unpaced-service.ts')],
  {
    env: {
      SVC_LOG_FORMAT: 'text',
      SVC_LOG_LEVEL: 'debug',
      ...process.env,
      ...hub.serviceEnv,
      SVC_LISTEN: behind,
      DATABASE_URL: databaseUrl,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  },
)
ending.later(async () => {
  service.kill('SIGTERM')
  if (service.exitCode === null && service.signalCode === null) await once(service, 'exit')
})
await ending.keep(startUiServer({ port, service: `http://${behind}` }), (started) => started.close())
ending.signalsAreFine()

console.log(`pages      ${serviceUrl}
code host  ${hub.emulator.webUrl}/${hub.repository.fullName}
database   ${databaseUrl}
planning   ${hub.tool ?? 'recorded plans (neither terraform nor tofu is on the path)'}

Enter opens the next pull request, Ctrl-C ends everything.`)

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
