import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { applicationEnv } from '#test/helpers/application-env.ts'
import { testDatabase } from '#test/helpers/database.ts'
import { until } from '#test/helpers/until.ts'
import { startWorld } from '#test/helpers/world.ts'
import { hostGate, openPull, query, secondInstance } from './scenes/scene.ts'

/* How the service ends: it finishes what was begun, in bounded time. */

const root = join(import.meta.dirname, '..')
const main = join(root, 'src/main.ts')

/** The program itself, in setup mode, with its log. */
const startMain = async (t: Test, [program, ...args]: [string, ...string[]] = [process.execPath, main]) => {
  const { url } = await testDatabase(t)
  const env = { SVC_BASE_URL: 'http://svc.example.com', SVC_LISTEN: '127.0.0.1:0', DATABASE_URL: url }
  // a group of its own, as a terminal gives it
  const child = spawn(program, args, { env: { ...applicationEnv(), ...env }, cwd: root, detached: true })
  t.teardown(() => child.exitCode ?? process.kill(-(child.pid ?? 0), 'SIGKILL'))
  const lines = createInterface({ input: child.stdout })
  /** The next line of its log with this message. */
  const said = (message: string): Promise<{ port?: number }> =>
    new Promise((resolve) => {
      // several lines may come at once, so none is waited for alone
      const hear = (line: string): void => {
        const entry = JSON.parse(line)
        if (entry.msg !== message) return
        lines.off('line', hear)
        resolve(entry)
      }
      lines.on('line', hear)
    })
  const { port } = await said('listening')
  return { child, said, ended: once(child, 'exit'), url: `http://127.0.0.1:${port}` }
}

t.test('SIGTERM turns readiness off first, and then ends the process well', async (t) => {
  const { child, said, ended, url } = await startMain(t)
  const readiness = async () => (await fetch(`${url}/readyz`)).status
  t.equal(await readiness(), 200)
  const refused = said('the service is shutting down')
  child.kill('SIGTERM')
  await until(async () => (await readiness()) === 503)
  t.equal((await fetch(`${url}/healthz`)).status, 200, 'it serves until a balancer has seen that')
  t.notOk('err' in (await refused), 'a probe leaves a line, and no stack')
  t.same(await ended, [0, null])
  await t.rejects(fetch(`${url}/healthz`))
})

t.test('a second signal stops at once', async (t) => {
  const { child, said, ended } = await startMain(t)
  const stopping = said('stopping')
  child.kill('SIGTERM')
  await stopping
  child.kill('SIGTERM')
  t.same(await ended, [1, null])
})

t.test('npm start passes a signal on, and waits for the end', async (t) => {
  const { child, said, ended, url } = await startMain(t, ['npm', 'start', '--silent'])
  const stopping = said('stopping')
  child.kill('SIGTERM')
  await stopping
  t.same(await ended, [0, null])
  await t.rejects(fetch(`${url}/healthz`))
})

t.test(
  'Ctrl-C in the terminal of npm start, which all its processes get and npm passes on, is one signal',
  async (t) => {
    const { child, ended } = await startMain(t, ['npm', 'start', '--silent'])
    process.kill(-(child.pid ?? 0), 'SIGINT')
    t.same(await ended, [0, null])
  },
)

/** A service whose handler waits for an answer of the code host. */
const withHandlerUnderWay = async (t: Test) => {
  const gate = hostGate()
  const world = await startWorld(t, { replaced: { fetch: gate.fetch, leaseSeconds: 1 } })
  const held = gate.hold('/api/v3/repos/acme/infra/pulls/1')
  await openPull(world, {})
  await held.arrived
  return { world, release: held.release }
}

const states = `select state, attempt from jobs where queue = 'events' and kind = 'pull_request'`

t.test('a running handler is waited for', async (t) => {
  const { world, release } = await withHandlerUnderWay(t)
  let isStopped = false
  const stopped = world.service.stop().then(() => {
    isStopped = true
  })
  await until(async () => (await fetch(`${world.service.url}/healthz`).catch(() => undefined)) === undefined)
  t.same(await query(world, states), [{ state: 'running', attempt: 1 }])
  t.notOk(isStopped)
  release()
  await stopped
  t.same(await query(world, states), [{ state: 'done', attempt: 1 }])
})

t.test('a handler that takes too long is cut off, and another instance goes on with it', async (t) => {
  const { world, release } = await withHandlerUnderWay(t)
  await world.service.stop({ handlersMs: 50 })
  t.same(await query(world, states), [{ state: 'running', attempt: 1 }])
  await secondInstance(t, world, { leaseSeconds: 1 })
  await until(async () => (await query(world, states))[0]?.state === 'done')
  t.same(await query(world, states), [{ state: 'done', attempt: 2 }])
  release()
})
