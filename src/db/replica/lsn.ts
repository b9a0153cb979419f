/** A place in the write-ahead log as Postgres writes it: two hexadecimal numbers of 32 bits (Postgres, 'pg_lsn Type'). */
export type Lsn = string

const bytesUpTo = (lsn: Lsn): bigint => {
  const [high = '0', low = '0'] = lsn.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

/** Whether a log that was followed up to one place has all that was written before the other. */
export const hasReached = (replayed: Lsn, wanted: Lsn): boolean => bytesUpTo(replayed) >= bytesUpTo(wanted)

/** The header of a segment's first page: an idle primary may stand past it, where there is no record to follow yet. */
const LONGEST_HEADER = 40n

/** The same for a place that was only looked at, which may lie past a page's header. */
export const hasReachedRecordBefore = (replayed: Lsn, seen: Lsn): boolean =>
  bytesUpTo(replayed) + LONGEST_HEADER >= bytesUpTo(seen)
