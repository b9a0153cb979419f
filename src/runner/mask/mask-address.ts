import type { Masks } from './masks.ts'

/** A quoted key of an index, in which a quote is escaped; one that is never closed goes on to the end. */
const KEY = /"(?:[^"\\]|\\.?)*"?/gs

/**
 * Hides secrets in the address of a resource, where a value can be: in the keys of its indexes. Types and names are written in the
 * configuration, and rules that protect resources go by them: a variable that is sensitive and holds `postgres` hid
 * `aws_db_instance.postgres` from the rule that names it.
 */
export const maskAddress = (masks: Masks, address: string): string => address.replaceAll(KEY, (key) => masks.hide(key))
