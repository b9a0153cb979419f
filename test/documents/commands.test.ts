import { readFileSync } from 'node:fs'
import t from 'tap'
import {
  appliedAnswer,
  forbiddenAnswer,
  givenUpAnswer,
  leftOutAnswer,
  mergeGivenUpAnswer,
  rateLimitedAnswer,
  replanHindrances,
  unlockedAnswer,
  unreadableAnswer,
} from '#domain/comments/command-answers.ts'
import { findCommand, readCommand, usage } from '#domain/comments/comment-command.ts'
import { helpComment, refusalComment } from '#domain/comments/gate-comment.ts'
import { orphanedComment, reminderComment, unlockedComment } from '#domain/comments/lock-comments.ts'
import { unmatchedComment } from '#domain/comments/unmatched-comment.ts'
import { evaluateGate } from '#domain/gate/evaluate-gate.ts'
import { limits } from '#domain/limits.ts'
import { facts, HEAD } from '#test/domain/gate/gate-facts.ts'

/* docs/commands.md is compared with the code: its comments are parsed, its answers are made. */

const page = readFileSync(new URL('../../docs/commands.md', import.meta.url), 'utf8')

const sectionOf = (title: string): string => page.split(/^## /m).find((section) => section.startsWith(title)) ?? ''

const rowsOf = (section: string): string[][] =>
  [...section.matchAll(/^\| (.+) \|$/gm)].map(([, cells = '']) => cells.split(' | ')).slice(1)

/** A comment as a table cell shows it: code, with ⏎ for the end of a line. */
const commentOf = (cell: string): string => {
  const marks = /^`+/.exec(cell)?.[0].length ?? 0
  const text = cell.slice(marks, -marks)
  return (marks > 1 ? text.trim() : text).replaceAll('⏎', '\n')
}

const readAs = (comment: string): string => {
  const asked = findCommand(comment)
  if (asked === undefined) return 'nothing'
  const read = readCommand(asked)
  if (read.kind === 'reply') return 'an answer'
  const isForAll = read.verb !== 'help' && read.keys.length === 0
  return [isForAll ? `${read.verb}, all stacks` : read.verb, ...read.keys].join(' ')
}

t.test('each comment of the page is read as it says', async (t) => {
  const rows = rowsOf(sectionOf('What is read'))
  t.ok(rows.length > 10)
  for (const [comment = '', says = ''] of rows)
    t.equal(readAs(commentOf(comment)), says.split(':')[0]?.startsWith('an answer') ? 'an answer' : says, comment)
})

t.test('every command is named as the service names it', async (t) => {
  t.same(
    rowsOf(page.split(/^## /m)[0] ?? '').map(([command]) => command),
    Object.values(usage).map((written) => `\`${written}\``),
  )
  t.match(page, `At most 100 keys`)
  t.equal(readAs(`svc plan ${'k '.repeat(100)}`).split(' ').length, 101)
  t.equal(readAs(`svc plan ${'k '.repeat(101)}`), 'an answer')
  t.match(page, `${limits.keyChars.toLocaleString('en')} characters`)
  t.equal(readAs(`svc plan ${'k'.repeat(limits.keyChars + 1)}`), 'an answer')
  t.match(page, `more than ${limits.commandsPerMinute} in a minute`)
})

t.test('the page says why nothing is planned, in the words of the answers', async (t) => {
  t.same(rowsOf(sectionOf('svc plan')), Object.values(replanHindrances))
})

const run = { id: 'run-1', html_url: 'https://svc.example.com/runs/run-1' }
const answered = { report: evaluateGate(facts({ plan: null })), headSha: HEAD }
const lock = { stackKey: 'app', runId: 'run-1' }
const held = [{ key: 'app', takenAt: new Date(0), run }]

const answers = [
  refusalComment(answered),
  refusalComment({ ...answered, merged: true }),
  leftOutAnswer([{ key: 'app', needs: ['db'] }]),
  appliedAnswer(HEAD),
  `### ❌ \`svc plan\` planned nothing`,
  unmatchedComment('unlock', [{ glob: 'x', why: 'matches no stack' }], ['app']),
  unlockedAnswer({ released: [lock], others: [] }),
  unlockedAnswer({ released: [lock, lock], others: [] }),
  unlockedAnswer({ released: [], others: [] }),
  unlockedAnswer({ released: [], others: [], named: true }),
  unlockedAnswer({ released: [], others: [lock] }),
  helpComment(answered),
  unreadableAnswer('apply', 'x'),
  forbiddenAnswer('apply', 'x'),
  givenUpAnswer('apply', 'x'),
  mergeGivenUpAnswer('x'),
  rateLimitedAnswer(limits.commandsPerMinute),
  reminderComment(held, new Date(1)),
  orphanedComment(held, { kind: 'closed' }),
  unlockedComment({ keys: ['app'], actor: 'ann', forceState: false, run }),
].map((text) => text.split('\n')[0]?.replace(/^### /, '') ?? '')

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

t.test('each answer is on the page, and the page has no other', async (t) => {
  const shown = rowsOf(sectionOf('Answers'))
    .map(([answer = '']) => answer)
    .filter((answer) => answer !== 'comment' && !/^-+$/.test(answer))
  const patterns = shown.map((answer) => new RegExp(`^${answer.split('…').map(escaped).join('.+')}$`))
  for (const answer of answers)
    t.ok(
      patterns.some((pattern) => pattern.test(answer)),
      answer,
    )
  for (const [index, pattern] of patterns.entries())
    t.ok(
      answers.some((answer) => pattern.test(answer)),
      shown[index] ?? '',
    )
})
