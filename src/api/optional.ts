import { z } from 'zod'

/**
 * A request field that may be left out. Null and the empty string count as left out: clients whose language has no
 * absent values send those, and no field of a request means anything by them (spec, 'Conventions').
 */
export const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === null || value === '' ? undefined : value), schema.optional())
