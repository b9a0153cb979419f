/**
 * The keys of Postgres' advisory locks: any numbers, but each its own. The leader holds its lock for as long as it leads, so nobody
 * else may wait for the same key: months were made under it once, and so never while there was a leader.
 */
export const advisoryLocks = {
  /** Instances that start together migrate one after another. */
  migrations: 7_303_014,
  /** Held by the session of the instance that leads. */
  leader: 7_303_016,
  /** Who makes the tables of restored rows, one at a time. */
  restoredTables: 7_303_017,
  /** Who makes the partitions of months, one at a time. */
  months: 7_303_018,
} as const
