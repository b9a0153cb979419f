import type { Lock } from '#api/repositories/lock.ts'
import type { Gate } from '#api/runs/gate.ts'
import type { Run, RunStatus } from '#api/runs/run.ts'
import type { StackStatus } from '#api/runs/run-stack.ts'

type RunMode = Run['mode']

/** A colour with its tint: the names are those of style/tokens.css. */
export type Tone = 'pending' | 'running' | 'planned' | 'applied' | 'failed' | 'unknown' | 'blocked'

export type StatusIcon =
  | ('dashes' | 'ring' | 'sheet' | 'tick' | 'equals' | 'cross' | 'question' | 'diamond' | 'bar' | 'dash' | 'chevrons')
  | ('check' | 'drift' | 'refused' | 'lock' | 'lockFilled' | 'lockMerged' | 'lockOpen' | 'person')

/** How a status is shown, everywhere: colour, icon and word; a pattern for the two that are easily missed. */
export type StatusLook = { word: string; tone: Tone; icon: StatusIcon; pattern?: 'stripes' | 'hatch' }

/** Stacks in a run, the gravest status first. */
const stack: Record<StackStatus, StatusLook> = {
  failed: { word: 'failed', tone: 'failed', icon: 'cross' },
  unknown: { word: 'unknown', tone: 'unknown', icon: 'question', pattern: 'stripes' },
  unconfirmed: { word: 'unconfirmed', tone: 'unknown', icon: 'diamond' },
  blocked: { word: 'blocked', tone: 'blocked', icon: 'bar', pattern: 'hatch' },
  applying: { word: 'applying', tone: 'running', icon: 'ring' },
  planning: { word: 'planning', tone: 'running', icon: 'ring' },
  pending: { word: 'pending', tone: 'pending', icon: 'dashes' },
  planned: { word: 'planned', tone: 'planned', icon: 'sheet' },
  applied: { word: 'applied', tone: 'applied', icon: 'tick' },
  noop: { word: 'no changes', tone: 'pending', icon: 'equals' },
  skipped: { word: 'skipped', tone: 'pending', icon: 'dash' },
  superseded: { word: 'superseded', tone: 'pending', icon: 'chevrons' },
}

/** Why a lock is held. */
const lock: Record<Lock['state'], StatusLook> = {
  'held.claimed': { word: 'claimed', tone: 'pending', icon: 'lock' },
  'held.changed': { word: 'changed', tone: 'planned', icon: 'lockFilled' },
  'held.merged': { word: 'merged', tone: 'running', icon: 'lockMerged' },
  'held.orphaned': { word: 'orphaned', tone: 'unknown', icon: 'lockOpen' },
  'held.manual': { word: 'manual', tone: 'planned', icon: 'person' },
}

/** What a layer of the gate found. */
const verdict: Record<Gate['facts'][number]['verdict'], StatusLook> = {
  pass: { word: 'passes', tone: 'applied', icon: 'check' },
  fail: { word: 'refuses', tone: 'failed', icon: 'cross' },
  pending: { word: 'waits', tone: 'pending', icon: 'dashes' },
  unknown: { word: 'not known', tone: 'unknown', icon: 'question' },
  off: { word: 'not asked', tone: 'pending', icon: 'dash' },
}

/** Where a dispatch is (machines/dispatch.ts): a test holds the names to the machine's. */
const dispatch = {
  requested: { word: 'requested', tone: 'pending', icon: 'dashes' },
  refused: { word: 'refused', tone: 'failed', icon: 'refused' },
  awaiting: { word: 'sent, not picked up', tone: 'running', icon: 'ring' },
  bound: { word: 'running', tone: 'running', icon: 'ring' },
  lost: { word: 'lost', tone: 'unknown', icon: 'question' },
  completed: { word: 'completed', tone: 'applied', icon: 'check' },
} as const satisfies Record<string, StatusLook>

/** A stack that is not as its code says: found by a check for drift, where the status is `planned`. */
const drifted: StatusLook = { word: 'drifted', tone: 'planned', icon: 'drift' }

/** A check for drift that is over. What it found is said of its stacks: its own status is `planned` in any case. */
const checked: StatusLook = { word: 'checked', tone: 'pending', icon: 'check' }

/** The whole table: how everything that has a status is shown. */
export const looks = { stack, lock, verdict, dispatch, drifted, checked } as const

/** Every status of a stack, the gravest first: the order of chips, of the bar above them, and of whatever sorts by status. */
export const stackStatuses = Object.keys(looks.stack) as StackStatus[]

/** Runs of a mode; their statuses are among those of stacks. */
export const runLook = (status: RunStatus, mode?: RunMode): StatusLook =>
  mode === 'drift' && status === 'planned' ? looks.checked : looks.stack[status]

/** A stack of a run of a mode. */
export const stackLook = (status: StackStatus, mode: RunMode): StatusLook =>
  mode === 'drift' && status === 'planned' ? looks.drifted : looks.stack[status]
