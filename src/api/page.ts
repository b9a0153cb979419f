import { z } from 'zod'
import { limits } from '#domain/limits.ts'
import { optional } from './optional.ts'

/** The requested part of a list (docs/interface.md, 'Lists'); a list's own filters are added with `extend`. */
export const PageQuery = z.object({
  limit: optional(
    z
      .string()
      .regex(/^0*[1-9][0-9]*$/, 'must be a positive integer')
      .transform((text) => Math.min(Number(text), limits.pageSizeMax)),
  ).describe(`Items of a page; ${limits.pageSize} unless given, ${limits.pageSizeMax} at most`),
  cursor: optional(z.string()).describe("The previous page's next_cursor, unchanged"),
})

export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    next_cursor: z.string().optional().describe('Opaque; absent on the last page'),
    filters: z
      .record(z.string(), z.string())
      .optional()
      .describe('The filters that the page went by, if any: a parameter that is not among them was ignored'),
    total: z.int().optional().describe('All items across pages, if the list counts them'),
  })
