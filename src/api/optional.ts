import { z } from 'zod'
import { leaveOutEmpty } from '#domain/graph/empty-fields.ts'

/**
 * A request field that may be left out. Null and the empty string count as left out: clients whose language has no absent
 * values send them, and they have no meaning in any field of a request (docs/interface.md, 'Conventions').
 */
export const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === null || value === '' ? undefined : value), schema.optional())

/**
 * The same for every field of an object that answers contain too: the schemas of answers must not transform, those of requests
 * may.
 */
export const withoutEmptyFields = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => leaveOutEmpty(value, { required: [] }), schema)
