import { z } from 'zod'
import { optional } from './optional.ts'
import { Count } from './scalars.ts'

const addresses = (what: string) => optional(z.array(z.string())).describe(`Addresses of the resources ${what}`)

/** What a plan would change, or an apply changed. */
export const Summary = z
  .object({
    adds: Count,
    changes: Count,
    destroys: Count,
    replaces: Count,
    imports: optional(Count),
    moves: optional(Count),
    output_changes: optional(Count),
    added: addresses('added'),
    changed: addresses('changed in place'),
    destroyed: addresses('destroyed'),
    replaced: addresses('replaced'),
  })
  .meta({ id: 'Summary', description: 'Counts and addresses of changes' })

export type Summary = z.infer<typeof Summary>
