import { z } from 'zod'
import { Count } from './scalars.ts'

const addresses = (what: string) => z.array(z.string()).optional().describe(`Addresses of the resources ${what}`)

/** What a plan would change, or an apply changed. */
export const Summary = z
  .object({
    adds: Count,
    changes: Count,
    destroys: Count,
    replaces: Count,
    imports: Count.optional(),
    moves: Count.optional(),
    output_changes: Count.optional(),
    added: addresses('added'),
    changed: addresses('changed in place'),
    destroyed: addresses('destroyed'),
    replaced: addresses('replaced'),
  })
  .meta({ id: 'Summary', description: 'Counts and addresses of changes' })

export type Summary = z.infer<typeof Summary>
