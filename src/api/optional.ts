import { z } from 'zod'
import { leaveOutEmpty } from '#domain/empty-fields.ts'

/**
 * A request field that may be left out. Null and the empty string count as left out: clients whose language has no
 * absent values send those, and no field of a request means anything by them (spec, 'Conventions').
 */
export const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === null || value === '' ? undefined : value), schema.optional())

/** The same for every field of an object that answers show too: those schemas must not transform, requests may. */
export const withoutEmptyFields = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => leaveOutEmpty(value, { required: [] }), schema)
