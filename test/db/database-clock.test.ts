import { randomUUID } from 'node:crypto'
import t from 'tap'
import { z } from 'zod'
import { systemClock } from '#clock.ts'
import { followDatabase } from '#db/database-clock.ts'
import { sql } from '#db/sql.ts'
import { testLog as log, startInstance } from '#test/helpers/instance.ts'
import { until } from '#test/helpers/until.ts'
import { startWorld } from '#test/helpers/world.ts'

/** A machine whose clock is so many seconds ahead. */
const ahead = (seconds: number) => ({ now: () => new Date(Date.now() + seconds * 1000) })

const world = await startWorld(t)
const { pool } = world
const none = z.object({})

/** A row that a worker elsewhere has, until so many seconds from now. */
const leased = async (key: string, seconds: number): Promise<void> => {
  await pool.query(sql.type(none)`
    insert into jobs (queue, kind, key, payload, state, attempt, leased_by, leased_until)
    values ('jobs', 'prune', ${key}, '{}', 'running', 1, ${randomUUID()}, now() + make_interval(secs => ${seconds}))`)
}

const stateOf = (key: string): Promise<string> =>
  pool.oneFirst(sql.type(z.object({ state: z.string() }))`select state from jobs where key = ${key}`)

for (const seconds of [60, -60, 40 * 60]) {
  t.test(
    `an instance whose clock is ${seconds} s ahead takes no live worker's rows, and rings no timer early`,
    async (t) => {
      const live = `live ${seconds}`
      const dead = `dead ${seconds}`
      await leased(live, 25)
      await leased(dead, -1)
      const setTimer = (name: string, due: number) =>
        pool.query(sql.type(none)`
        insert into timers (installation_id, kind, id, name, event, due_at) values (
          1, 'dispatch', ${randomUUID()}, ${name}, '{"type": "runner.lost"}', now() + make_interval(secs => ${due}))`)
      await setTimer(live, 30)
      await setTimer(dead, -1)
      const timers = () =>
        pool.anyFirst(sql.type(z.object({ name: z.string() }))`
      select name from timers where name in (${live}, ${dead})`)
      await startInstance(t, world.env, { machineClock: ahead(seconds), leaseSeconds: 0.3 })
      await until(async () => (await stateOf(dead)) !== 'running' && (await timers()).length === 1)
      t.equal(await stateOf(live), 'running')
      t.same(await timers(), [live])
    },
  )
}

t.test('it is not ready beyond 5 s, and says why', async (t) => {
  const readyAt = async (seconds: number) => {
    const { url } = await startInstance(t, world.env, { machineClock: ahead(seconds) })
    const metrics = await (await fetch(`${url}/metrics`)).text()
    const offset = Number(/^svc_clock_offset_seconds (\S+)$/m.exec(metrics)?.[1])
    t.ok(Math.abs(offset - seconds) < 1, `${offset} s`)
    const answer = await fetch(`${url}/readyz`)
    const { code, message } = (await answer.json()) as { code?: string; message?: string }
    return { status: answer.status, code, message }
  }
  t.match(await readyAt(0), { status: 200 })
  t.match(await readyAt(4), { status: 200 })
  const message = (off: string) => `the clock of this machine is ${off} the database's: set it, by NTP for example`
  t.match(await readyAt(60), { status: 503, code: 'unavailable', message: message('60 s ahead of') })
  t.match(await readyAt(-3600), { status: 503, code: 'unavailable', message: message('3600 s behind') })
})

t.test('a machine whose clock is set meanwhile goes on as before', async (t) => {
  let seconds = 0
  const measured: number[] = []
  const machine = { now: () => ahead(seconds).now() }
  const onMeasured = (ms: number): void => void measured.push(Math.round(ms / 1000))
  const clock = await followDatabase({ db: pool, log, machine, onMeasured, everyMs: 5 })
  t.teardown(() => clock.stop())
  const isRight = (): boolean => Math.abs(+clock.now() - +systemClock.now()) < 1000
  t.ok(isRight())
  seconds = 3600
  t.ok(isRight())
  await until(() => measured.at(-1) === 3600)
  t.ok(isRight())
})
