import { hasReachedRecordBefore, type Lsn } from './lsn.ts'

/** Where the primary was seen, and when (milliseconds of any clock). */
export type Sighting = { at: number; lsn: Lsn }

/**
 * How long ago the primary was where the replica is now, in milliseconds: 0 if it is there still. The replica's own
 * pg_last_xact_replay_timestamp() grows while nobody writes. `sightings` are in the order of time; of a replica behind all of
 * them it is known only that it is behind by more.
 */
export const lagMs = (sightings: readonly Sighting[], replayed: Lsn, now: number): number => {
  const reached = sightings.findLastIndex(({ lsn }) => hasReachedRecordBefore(replayed, lsn))
  const missed = sightings[reached + 1]
  return missed === undefined ? 0 : now - (sightings[reached] ?? missed).at
}
