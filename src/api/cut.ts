import { z } from 'zod'
import { limits } from '#domain/limits.ts'
import { clip } from '#domain/texts/markdown.ts'
import { wholeCharacters } from '#domain/texts/plan-beginning.ts'

/*
 * Texts of jobs that are kept and shown: what is too long is cut, not refused, or the report of an apply would be lost over a
 * text that nobody reads to its end.
 */

/** Text of at most so many bytes. */
export const cutText = (bytes: number) => z.string().overwrite((text) => wholeCharacters(text, bytes))

const isTooLong = (value: unknown): boolean => typeof value === 'string' && value.length > limits.webAddressChars

/** An optional field with a web address that is safe for a browser to open. It cannot be cut: one that is too long is left out. */
export const webAddress = () =>
  z.preprocess(
    (value) => (value === null || value === '' || isTooLong(value) ? undefined : value),
    z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' }).optional(),
  )

/** Addresses of resources in a report: the first of them, each cut. */
export const addresses = () =>
  z.preprocess(
    (value) =>
      value === null || value === '' ? undefined : Array.isArray(value) ? value.slice(0, limits.addresses) : value,
    z.array(z.string().overwrite((text) => clip(text, limits.addressChars))).optional(),
  )
