import { z } from 'zod'

/** The columns that every machine's table has. */
export const snapshotColumns = {
  snapshot: z.object({ value: z.unknown(), context: z.unknown() }),
  version: z.number(),
  seq: z.number(),
}

/** What is written for a machine after a transition. */
export type SnapshotColumns = { snapshot: { value: unknown; context: unknown }; version: number; seq: number }
