import { z } from 'zod'

/** The body of every error answer (docs/interface.md, 'Errors'). */
export const ErrorBody = z
  .object({
    code: z.enum([
      ...(['invalid', 'unauthorized', 'forbidden', 'not_found', 'conflict'] as const),
      ...(['refused', 'superseded', 'locked', 'internal', 'unavailable'] as const),
    ]),
    message: z.string().describe('What is wrong and what would be right, for a person'),
    details: z
      .looseObject({
        field: z.string().optional().describe('invalid: the field or parameter at fault'),
        reason: z.string().optional().describe('invalid: what is wrong with it'),
      })
      .optional(),
  })
  .meta({ id: 'Error', description: 'An answer that is an error' })

export type ErrorBody = z.infer<typeof ErrorBody>
