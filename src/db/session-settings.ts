/**
 * On these depends what a statement means and how its answer is spelled; a database or a role may have others. Not the
 * `search_path`: a role may well keep our tables in a schema of its own.
 */
const meaning = {
  array_nulls: 'on',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  default_transaction_isolation: 'read committed',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
}

/**
 * The first statement of each session: sets what its statements rely on, and `more`. A statement and no startup parameters:
 * PgBouncer refuses a connection whose parameters it does not know (`unsupported startup parameter: statement_timeout`).
 */
export const sessionSettings = (more: Readonly<Record<string, string>> = {}): string =>
  `select ${Object.entries({ ...meaning, ...more })
    .map(([name, value]) => `set_config('${name}', '${value}', false)`)
    .join(', ')}`
