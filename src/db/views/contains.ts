import { type FragmentSqlToken, sql } from '../sql.ts'

/** Whether a word is in a text, in any letter case: without the wildcards of `ilike`, which people type as they are. */
export const contains = (text: FragmentSqlToken, word: string): FragmentSqlToken =>
  sql.fragment`strpos(lower(${text}), lower(${word})) > 0`
