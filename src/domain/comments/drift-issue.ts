import { changeCounts } from '#domain/texts/change-counts.ts'
import { clip, code, cutAtLine, fencedPlan, link } from '#domain/texts/markdown.ts'
import { addressList } from '#domain/texts/summary-addresses.ts'
import { limits } from '../limits.ts'
import type { Summary } from '../plan-summary.ts'
import type { NamedRun } from './lock-comments.ts'

/** What an issue says about a stack: how it drifted, that it did not, or that it is gone from the default branch. */
export type DriftIssue = {
  stackId: string
  key: string
  is: 'drifted' | 'clean' | 'gone'
  /** The drift's summary; absent if the check that found it had none. */
  summary?: Summary | undefined
  /** The plan that would mend it, where that is to be shown, or its first 8 KB; `cut` if it goes on in the run. */
  plan?: { text: string; cut: boolean } | undefined
  /** The check that found it. */
  run: NamedRun
  checkedAt: Date
  /** Time of the first of the consecutive checks that found drift. */
  since?: Date | undefined
}

/** The first line of a stack's issue, by which it is found again. */
export const driftMarker = (stackId: string): string => `<!-- svc:drift ${stackId} -->`

/** GitHub's maximum. */
const titleChars = 256

/** The only Markdown in a title is backticks, so the key is shown as it is. */
const titleOf = (key: string): string => `svc: ${clip(key, titleChars - 'svc:  drifted'.length)} drifted`

const utc = (date: Date): string => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`

const checkLine = ({ run, checkedAt }: DriftIssue): string =>
  `${link('Check', run.html_url)} ${code(run.id)} of ${utc(checkedAt)}`

const addressChars = 20_000

const mendingPlan = ({ plan, run }: DriftIssue): string[] => {
  if (plan === undefined) return []
  const more = plan.cut ? `\n\n${link('The plan goes on on the page of the check', run.html_url)}.` : ''
  return [`<details><summary>The plan that would mend it</summary>\n\n${fencedPlan(plan.text)}${more}\n\n</details>`]
}

const drifted = (issue: DriftIssue): string[] => {
  const { key, summary, since, run } = issue
  const addresses = summary === undefined ? '' : addressList(summary)
  const counts = summary === undefined ? '' : `: ${changeCounts(summary)}`
  const page = link('What a plan would change', `${run.html_url}?stack=${encodeURIComponent(key.toWellFormed())}`)
  return [
    '### ⚠️ What is there does not match the default branch',
    `${code(key)}${counts}${since === undefined ? '' : `, first seen ${utc(since)}`}. ${page}.`,
    addresses === '' ? '' : fencedPlan(addresses, addressChars, '… more on the page of the check.'),
    ...mendingPlan(issue),
    '**Next:** Find out who changed it and why. To undo the change, apply the stack as it is: in a pull request that touches it, or with a manual run. To keep it, write it into the code, until a plan of the stack shows no changes.',
    checkLine(issue),
    'This issue is edited when something else drifts, and closed when a check finds no drift. Closed by hand, it stays closed until then.',
  ]
}

const clean = (issue: DriftIssue): string[] => [
  '### ✅ No drift any more',
  `${code(issue.key)} matches the default branch.`,
  checkLine(issue),
]

const gone = (issue: DriftIssue): string[] => [
  '### The default branch no longer has this stack',
  `${code(issue.key)} is no longer checked for drift. What it created still exists, unless it was destroyed before.`,
  checkLine(issue),
]

const parts = { drifted, clean, gone } as const

/** The current text of a stack's issue. */
export const driftIssueText = (issue: DriftIssue): { title: string; body: string } => {
  const body = [driftMarker(issue.stackId), ...parts[issue.is](issue)].filter((part) => part !== '').join('\n\n')
  return { title: titleOf(issue.key), body: cutAtLine(body, limits.outputChars, '… cut here.') }
}

/**
 * What makes an issue's content different: not which check found the drift, nor when, so a nightly check edits nothing. Sorted
 * by address, since a plan's order is not stable.
 */
export const driftEssence = ({ is, key, summary }: DriftIssue): unknown => {
  if (is !== 'drifted') return [is, key]
  const { added = [], changed = [], destroyed = [], replaced = [] } = summary ?? {}
  const lists = [added, changed, destroyed, replaced].map((list) => [...list].sort())
  return [is, key, summary === undefined ? '' : changeCounts(summary), lists]
}
