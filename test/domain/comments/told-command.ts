import type { Test } from 'tap'
import { findCommand, readCommand } from '#domain/comments/comment-command.ts'

export const lines = (...all: string[]): string => all.join('\n')

/** `apply aws/a aws/b`, `-` for no command, `?` for a command that is answered instead. */
export const told = (body: string): string => {
  const asked = findCommand(body)
  if (asked === undefined) return '-'
  const parsed = readCommand(asked)
  return parsed.kind === 'reply' ? `? ${parsed.verb}` : [parsed.verb, ...parsed.keys].join(' ')
}

/** What each of many comments is read as. */
export const table = (t: Test, cases: readonly (readonly [body: string, told: string])[]): void => {
  for (const [body, expected] of cases) t.equal(told(body), expected, JSON.stringify(body).replaceAll('\u2028', '(LS)'))
}
