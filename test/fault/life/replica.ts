import { setTimeout as wait } from 'node:timers/promises'
import { query } from '#dev/own-database.ts'
import type { Happening } from './happenings.ts'
import { inTime, type Life, type Replica } from './life.ts'

const replicaOf = ({ replica }: Life): Replica => {
  if (!replica) throw new Error('this life has no replica')
  return replica
}

/** All instances know by themselves whether they may read from it. */
const isReadable = async ({ instances }: Life, wanted: boolean): Promise<boolean> => {
  const line = `\nsvc_replica_readable ${wanted ? 1 : 0}\n`
  const said = await Promise.all(
    instances.map(({ url }) =>
      fetch(`${url}/metrics`).then(
        (answer) => answer.text(),
        () => '',
      ),
    ),
  )
  return said.every((text) => text.includes(line))
}

const leftAlone = (life: Life) => inTime(life, 'the replica was not left alone', () => isReadable(life, false))
const readAgain = (life: Life) => inTime(life, 'the replica was not read again', () => isReadable(life, true))

const heldBack: Happening = {
  name: 'the replica is held back',
  happen: async (life, { away }) => {
    const replica = replicaOf(life)
    await query(replica.url, 'select pg_wal_replay_pause()')
    await leftAlone(life)
    await wait(away * 1000)
    await query(replica.url, 'select pg_wal_replay_resume()')
    await readAgain(life)
  },
}

const gone: Happening = {
  name: 'the replica is gone',
  happen: async (life, { away }) => {
    const replica = replicaOf(life)
    await replica.stop()
    await leftAlone(life)
    await wait(away * 1000)
    await replica.startAgain()
    await readAgain(life)
  },
}

const frozen: Happening = {
  name: 'the replica is frozen',
  happen: async (life, { away }) => {
    await replicaOf(life).whileFrozen(async () => {
      await leftAlone(life)
      await wait(away * 1000)
    })
    await readAgain(life)
  },
}

/** By the names that the proof uses. */
export const troublesOfReplica = { heldBack, gone, frozen }

/** A life whose lists were never read from its replica proves nothing about it. */
export const unreadReplica = async ({ replica }: Life): Promise<string[]> => {
  if (!replica) return []
  const scanned = `select from pg_stat_user_tables where relname = 'runs' and seq_scan + idx_scan > 0`
  return (await query(replica.url, scanned)).length === 0 ? ['nothing was read from the replica'] : []
}
