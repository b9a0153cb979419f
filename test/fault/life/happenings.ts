import { setTimeout as wait } from 'node:timers/promises'
import type { Instance } from './instance.ts'
import type { Life } from './life.ts'

/** Something done to the service, its database or its code host while it works; over when everything works again. */
export type Happening = { name: string; happen(life: Life, times: Times): Promise<void> }

/** In seconds: how long something stays away once taken away, and how long an instance is frozen: longer than its leases. */
export type Times = { away: number; cutOff: number; frozen: number }

const instanceAt = ({ instances }: Life, index: number): Instance => {
  const instance = instances[index]
  if (!instance) throw new Error(`there is no instance ${index}`)
  return instance
}

const seconds = (count: number): Promise<unknown> => wait(count * 1000)

const killed = (index: number, name: string): Happening => ({
  name: `kill -9 of instance ${name}`,
  happen: async (life, { away }) => {
    const instance = instanceAt(life, index)
    await instance.kill()
    await seconds(away)
    await instance.start()
  },
})

const bothKilled: Happening = {
  name: 'kill -9 of both instances',
  happen: async ({ instances }, { away }) => {
    await Promise.all(instances.map((instance) => instance.kill()))
    await seconds(away / 2)
    await Promise.all(instances.map((instance) => instance.start()))
  },
}

const terminated = (index: number, name: string): Happening => ({
  name: `SIGTERM of instance ${name}`,
  happen: async (life, { away }) => {
    const instance = instanceAt(life, index)
    await instance.terminate()
    await seconds(away)
    await instance.start()
  },
})

const databaseRestarted: Happening = {
  name: 'an immediate restart of Postgres',
  happen: async ({ database }, { away }) => {
    await database.crash()
    await seconds(away)
    await database.revive()
  },
}

const databaseAndInstance: Happening = {
  name: 'kill -9 of instance A and a restart of Postgres, which A does not find when it starts again',
  happen: async (life, { away }) => {
    const instance = instanceAt(life, 0)
    await instance.kill()
    await life.database.crash()
    const started = instance.start()
    await seconds(away)
    await life.database.revive()
    await started
  },
}

/** Its work in progress cannot end well, and it ends all the same. */
const terminatedWithoutDatabase: Happening = {
  name: 'SIGTERM of instance A while Postgres is away',
  happen: async (life, { away }) => {
    const instance = instanceAt(life, 0)
    await life.database.crash()
    await instance.terminate()
    await seconds(away / 2)
    await life.database.revive()
    await instance.start()
  },
}

/** Other instances take its jobs meanwhile, and it still continues with them. */
const frozen: Happening = {
  name: 'instance B is frozen for longer than its leases last',
  happen: async (life, { frozen }) => {
    const instance = instanceAt(life, 1)
    instance.freeze()
    await seconds(frozen)
    instance.thaw()
  },
}

const databaseFrozen: Happening = {
  name: 'Postgres is frozen',
  happen: async ({ database }, { away }) => {
    database.freeze()
    await seconds(away * 1.5)
    database.thaw()
  },
}

/** Half of the time it does not answer, the other half it refuses; its webhooks get lost all the time. */
const cutOff: Happening = {
  name: 'the code host is cut off',
  happen: async ({ github }, { cutOff }) => {
    const lost = github.faults.add({ kind: 'webhook', effect: 'lose' })
    const hanging = github.faults.add({ kind: 'request', effect: 'hang-before' })
    await seconds(cutOff / 2)
    hanging.remove()
    const down = github.faults.add({ kind: 'down' })
    await seconds(cutOff / 2)
    down.remove()
    lost.remove()
  },
}

/** By the names that the test and the proof use. */
export const happenings = {
  killA: killed(0, 'A'),
  killB: killed(1, 'B'),
  killBoth: bothKilled,
  terminateA: terminated(0, 'A'),
  terminateB: terminated(1, 'B'),
  restartPostgres: databaseRestarted,
  restartPostgresAndA: databaseAndInstance,
  terminateAWithoutPostgres: terminatedWithoutDatabase,
  freezeB: frozen,
  freezePostgres: databaseFrozen,
  cutOff,
} satisfies Record<string, Happening>
