import type { RunRow } from '../../api/run-types.ts'
import type { TimelineEntry } from '../../api/timeline.ts'
import { capital } from '../../parts/words.ts'
import { looks, type StatusLook } from '../../status/table.ts'
import { isTrue, type Names, textIn, topOf, whoWords } from './entry-facts.ts'

/** What a cause comes down to: who or what, what it did, and the sign beside it. */
export type Headline = { entry: TimelineEntry; subject: string; verb: string; look: StatusLook }

type Told = { subject: string; verb: string }
type Teller = (entry: TimelineEntry, names: Names) => Told

const outcomes: Partial<Record<RunRow['status'], string>> = {
  planned: 'is planned',
  applied: 'is applied',
  noop: 'has no changes',
  failed: 'failed',
  unconfirmed: 'is unconfirmed',
}

/** What a run was begun with. */
const inputOf = ({ event: { input } }: TimelineEntry, name: 'mode' | 'trigger'): string =>
  typeof input === 'object' && input !== null
    ? String(Object.entries(input).find(([key]) => key === name)?.[1] ?? '')
    : ''

const begun: Record<string, string> = { plan: 'the plan', apply: 'the apply', drift: 'the check for drift' }

const beginning: Teller = (entry) => {
  const what = begun[inputOf(entry, 'mode')] ?? 'the run'
  const who = capital(whoWords(entry.actor))
  const told: Record<string, Told> = {
    comment: { subject: entry.actor, verb: `asked for ${what} in a comment` },
    push: { subject: 'The merge', verb: `began ${what}` },
    schedule: { subject: 'The schedule', verb: `began ${what}` },
    rerequest: { subject: who, verb: `asked for ${what} again` },
    manual: { subject: who, verb: `began ${what} by hand` },
  }
  return told[inputOf(entry, 'trigger')] ?? { subject: 'The first job of the pull request', verb: `began ${what}` }
}

/** By kind and event, those that say most first: an apply that somebody asked for is that, and not the locks it took. */
const tellers: readonly (readonly [kind: TimelineEntry['kind'], type: string, tell: Teller])[] = [
  ['run', 'created', beginning],
  [
    'lock',
    'release.requested',
    (e) => ({ subject: textIn(e, 'actor') ?? e.actor, verb: `released the lock of ${e.key}` }),
  ],
  [
    'run',
    'head.replaced',
    (e) => ({ subject: 'A newer commit', verb: `replaced this one: ${textIn(e, 'sha')?.slice(0, 7)}` }),
  ],
  [
    'run',
    'resolution.failed',
    (e) => ({ subject: 'The graph', verb: `could not be resolved: ${textIn(e, 'reason')}` }),
  ],
  ['run', 'graph.resolved', () => ({ subject: 'The graph', verb: 'was resolved' })],
  ['run', 'replan.requested', (e) => ({ subject: capital(whoWords(e.actor)), verb: 'had it planned again' })],
  ['run', 'apply.requested', (e) => ({ subject: capital(whoWords(e.actor)), verb: 'began the apply' })],
  [
    'stack',
    'result.reported',
    (e) => ({ subject: e.key ?? '', verb: outcomes[e.to as RunRow['status']] ?? `is ${e.to}` }),
  ],
  [
    'dispatch',
    'workflow.completed',
    (e, n) => ({ subject: capital(n.nameOf(e)), verb: `ended with ${textIn(e, 'conclusion')}` }),
  ],
  [
    'dispatch',
    'dispatch.refused',
    (e, n) => ({ subject: capital(n.nameOf(e)), verb: `was refused: ${textIn(e, 'message')}` }),
  ],
  ['dispatch', 'runner.lost', (e, n) => ({ subject: capital(n.nameOf(e)), verb: 'was given up' })],
  [
    'dispatch',
    'workflow.bound',
    (e, n) => ({ subject: capital(n.nameOf(e)), verb: `was picked up by workflow run ${e.event.workflow_run_id}` }),
  ],
  ['dispatch', 'dispatch.sent', (e, n) => ({ subject: capital(n.nameOf(e)), verb: 'was sent' })],
  ['dispatch', 'resend.due', (e, n) => ({ subject: capital(n.nameOf(e)), verb: 'is sent again' })],
  [
    'lock',
    'pull_request.closed',
    (e) => ({ subject: 'The pull request', verb: isTrue(e, 'merged') ? 'was merged' : 'was closed' }),
  ],
  ['lock', 'pull_request.reopened', () => ({ subject: 'The pull request', verb: 'was opened again' })],
  ['lock', 'reminder.due', (e) => ({ subject: 'The holder', verb: `of the lock of ${e.key} is reminded` })],
  ['stack', 'stack.skipped', (e) => ({ subject: e.key ?? '', verb: 'is skipped' })],
  ['stack', 'runner.lost', (e) => ({ subject: e.key ?? '', verb: 'is unknown, its job is gone' })],
]

/** What the entries of one cause come down to; of what is not known by name, its first entry as it is. */
export const headlineOf = (entries: readonly TimelineEntry[], names: Names): Headline | undefined => {
  for (const [kind, type, tell] of tellers) {
    const entry = entries.find((one) => one.kind === kind && one.event.type === type)
    if (entry) return { entry, ...tell(entry, names), look: lookOf(graver(entries) ?? lastOf(entries, entry) ?? entry) }
  }
  const [entry] = entries
  return entry && { entry, subject: entry.event.type, verb: `of ${names.nameOf(entry)}`, look: lookOf(entry) }
}

/** A stack whose end nobody saw is what a cause comes down to, whatever else came of it. */
const graver = (entries: readonly TimelineEntry[]): TimelineEntry | undefined =>
  entries.find(({ kind, from, to }) => kind === 'stack' && from !== to && to === 'unknown')

/** Where the machine of an entry ended up. */
const lastOf = (entries: readonly TimelineEntry[], { kind, id }: TimelineEntry): TimelineEntry | undefined =>
  entries.findLast((one) => one.kind === kind && one.id === id)

const free: StatusLook = { word: 'free', tone: 'pending', icon: 'lock' }

/** How the state that an entry leads to is shown. */
export const lookOf = ({ kind, to }: TimelineEntry): StatusLook => {
  const table: Readonly<Record<string, StatusLook>> =
    kind === 'lock' ? { ...looks.lock, free } : kind === 'dispatch' ? looks.dispatch : looks.stack
  return table[to] ?? table[topOf(to)] ?? looks.stack.pending
}
