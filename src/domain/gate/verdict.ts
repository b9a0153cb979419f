import type { RuleRef } from './rules/rule-ref.ts'

/** The layers of the apply gate, in the order in which their failures are listed. */
export const layers = [
  'config',
  'mode',
  'permission',
  'approval',
  'mergeable',
  'base',
  'code_owners',
  'four_eyes',
  'plan',
  'protect',
  'check',
  'lock',
  'in_flight',
  'window',
] as const
export type Layer = (typeof layers)[number]

/**
 * `pending` will be known by waiting, `unknown` cannot be known from here, and `off` is not asked: by the policy, or in this
 * kind of apply.
 */
export const verdicts = ['pass', 'fail', 'pending', 'unknown', 'off'] as const
export type Verdict = (typeof verdicts)[number]

/**
 * Who could take away what is in the way: so many of these people and members of these teams, or of all who may push where none are
 * named. They approve the head commit, or are the person who asks for the apply.
 */
export type Could = { act: 'approve' | 'ask'; people: number; logins: string[]; teams: string[] }

/**
 * One thing in the way of an apply, as the API lists it: `reason` is what is wrong and then what to do about it, `rule` which rule
 * asks for it, if not all stacks need it.
 */
export type GateFailure = {
  layer: Layer
  name: string
  reason: string
  stacks: string[]
  rule?: RuleRef
  could?: Could
}

/** A fact behind a verdict, in words and by its parts. `holds`: it supports the apply. */
export type Evidence = {
  holds: boolean
  text: string
  login?: string
  sha?: string
  check?: string
  pr_number?: number
  run_id?: string
  stacks?: string[]
  /** Protected resources that a plan destroys or replaces. */
  addresses?: string[]
  /** When applies may begin again. */
  opens_at?: string
}

export type LayerReport = {
  layer: Layer
  verdict: Verdict
  summary: string
  failures: GateFailure[]
  evidence: Evidence[]
  /** What to do now; absent if nothing is to be done. */
  next?: string
}

/** A layer's objection to an apply: sentences without their full stops; the second says what to do. */
export type Objection = {
  verdict: 'fail' | 'pending' | 'unknown'
  name: string
  what: string
  next: string
  stacks?: readonly string[]
  rule?: RuleRef
  could?: Could
}

/** What a layer found: objections, or else a verdict and its reason. */
export type Finding = {
  objections: Objection[]
  evidence: Evidence[]
  otherwise: { verdict: 'pass' | 'unknown' | 'off'; summary: string }
}

export const unlessObjected = (summary: string, evidence: Evidence[] = [], objections: Objection[] = []): Finding => ({
  objections,
  evidence,
  otherwise: { verdict: 'pass', summary },
})

export const off = (summary: string): Finding => ({
  objections: [],
  evidence: [],
  otherwise: { verdict: 'off', summary },
})

/** Unknown, but refuses nothing: an invalid policy is refused by its own layer, and in a dry run nobody asks. */
export const unknown = (summary: string, evidence: Evidence[] = [], objections: Objection[] = []): Finding => ({
  objections,
  evidence,
  otherwise: { verdict: 'unknown', summary },
})

const gravest = (objections: readonly Objection[]): Verdict | undefined =>
  (['fail', 'unknown', 'pending'] as const).find((verdict) => objections.some((each) => each.verdict === verdict))

/** A quoted text may end as a question: 'did you mean …?'. */
const sentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`)

export const reportOf = (layer: Layer, { objections, evidence, otherwise }: Finding): LayerReport => {
  const verdict = gravest(objections)
  const failures = objections.map(({ name, what, next, stacks = [], rule, could }) => ({
    layer,
    name,
    reason: `${sentence(what)} ${next}.`,
    stacks: [...stacks].sort(),
    ...(rule === undefined ? {} : { rule }),
    ...(could === undefined ? {} : { could }),
  }))
  if (verdict === undefined) return { layer, ...otherwise, failures, evidence }
  const summary = objections.map(({ what }) => sentence(what)).join(' ')
  const next = [...new Set(objections.map((each) => `${each.next}.`))].join(' ')
  return { layer, verdict, summary, failures, evidence, next }
}
