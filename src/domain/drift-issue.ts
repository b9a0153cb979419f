import { changeCounts } from './change-counts.ts'
import { limits } from './limits.ts'
import type { NamedRun } from './lock-comments.ts'
import { clip, code, cutAtLine, fenced, link } from './markdown.ts'
import type { Summary } from './plan-summary.ts'
import { addressList } from './summary-addresses.ts'

/** What an issue says of a stack: how it drifted, that it did not, or that the default branch has it no more. */
export type DriftIssue = {
  stackId: string
  key: string
  is: 'drifted' | 'clean' | 'gone'
  /** Of the drift; absent where the check that found it told none. */
  summary?: Summary | undefined
  /** The check that found it so. */
  run: NamedRun
  checkedAt: Date
  /** Of the first of the checks in a row that found drift. */
  since?: Date | undefined
}

/** What the issue of a stack begins with: by this it is found again. */
export const driftMarker = (stackId: string): string => `<!-- svc:drift ${stackId} -->`

/** GitHub takes no more. */
const titleChars = 256

/** A title is no Markdown but for backticks: the key as it is. */
const titleOf = (key: string): string => `svc: ${clip(key, titleChars - 'svc:  drifted'.length)} drifted`

const utc = (date: Date): string => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`

const checkLine = ({ run, checkedAt }: DriftIssue): string =>
  `${link('Check', run.html_url)} ${code(run.id)} of ${utc(checkedAt)}`

const addressChars = 20_000

const drifted = (issue: DriftIssue): string[] => {
  const { key, summary, since, run } = issue
  const addresses = summary === undefined ? '' : addressList(summary)
  const counts = summary === undefined ? '' : `: ${changeCounts(summary)}`
  const page = link('What a plan would change', `${run.html_url}?stack=${encodeURIComponent(key.toWellFormed())}`)
  return [
    '### ⚠️ What is there is not what the default branch says',
    `${code(key)}${counts}${since === undefined ? '' : `, first seen ${utc(since)}`}. ${page}.`,
    addresses === '' ? '' : fenced(addresses, addressChars, '… more on the page of the check.'),
    '**Next:** Find out who changed it and why. To take the change back, apply the stack as it is: in a pull request that touches it, or with a manual run. To keep it, write it into the code, until a plan of the stack shows no changes.',
    checkLine(issue),
    'This issue is edited when something else drifts, and closed when a check finds no drift. Closed by hand, it stays closed until then.',
  ]
}

const clean = (issue: DriftIssue): string[] => [
  '### ✅ No drift any more',
  `${code(issue.key)} is what the default branch says.`,
  checkLine(issue),
]

const gone = (issue: DriftIssue): string[] => [
  '### The default branch has this stack no more',
  `${code(issue.key)} is not checked for drift any more. What it made still exists, unless it was destroyed before.`,
  checkLine(issue),
]

const parts = { drifted, clean, gone } as const

/** The issue of a stack as it should read now. */
export const driftIssueText = (issue: DriftIssue): { title: string; body: string } => {
  const body = [driftMarker(issue.stackId), ...parts[issue.is](issue)].filter((part) => part !== '').join('\n\n')
  return { title: titleOf(issue.key), body: cutAtLine(body, limits.outputChars, '… cut here.') }
}

/**
 * What of an issue makes it another one: not which check found it, nor when, so that each night's check edits nothing. In the
 * order of the addresses, which is not the plan's to keep.
 */
export const driftEssence = ({ is, key, summary }: DriftIssue): unknown => {
  if (is !== 'drifted') return [is, key]
  const { added = [], changed = [], destroyed = [], replaced = [] } = summary ?? {}
  const lists = [added, changed, destroyed, replaced].map((list) => [...list].sort())
  return [is, key, summary === undefined ? '' : changeCounts(summary), lists]
}
