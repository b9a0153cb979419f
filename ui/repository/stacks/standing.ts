import type { StackStatus } from '#api/runs/run-stack.ts'
import type { StackDetail } from '../../api/repositories.ts'
import { looks, type StatusLook, stackStatuses } from '../../status/table.ts'

/** How a stack stands: a status, drifted, or nothing has been done with it yet. */
export type Standing = StackStatus | 'drifted' | 'new'

/** Whatever a check for drift found, these are worse. */
const worseThanDrift = ['failed', 'unknown', 'unconfirmed', 'blocked'] as const

/** All of them, the gravest first. */
export const standings: Standing[] = [
  ...worseThanDrift,
  'drifted',
  ...stackStatuses.filter((status) => !worseThanDrift.some((one) => one === status)),
  'new',
]

export const gravity = (standing: Standing): number => standings.indexOf(standing)

/** An apply carried out, or did away with, what was planned before it. */
const isSettled = (plan: StackDetail['last_plan'], apply: StackDetail['last_apply']): boolean =>
  plan?.finished_at !== undefined && apply?.finished_at !== undefined && plan.finished_at <= apply.finished_at

/**
 * The gravest of its last apply, of a plan since then, and of its last check for drift: by the newest of them alone, any plan would hide
 * an apply that failed.
 */
export const standingOf = ({
  last_apply: apply,
  last_plan: plan,
  drift,
}: Pick<StackDetail, 'last_apply' | 'last_plan' | 'drift'>): Standing => {
  const all: Standing[] = [
    ...(apply ? [apply.status] : []),
    ...(plan && !isSettled(plan, apply) ? [plan.status] : []),
    ...(drift?.drifted ? (['drifted'] as const) : []),
  ]
  return all.toSorted((a, b) => gravity(a) - gravity(b))[0] ?? 'new'
}

/** Undefined for a stack that no run has been over: that is no status. */
export const standingLook = (standing: Standing): StatusLook | undefined => {
  if (standing === 'new') return undefined
  return standing === 'drifted' ? looks.drifted : looks.stack[standing]
}

export const standingWord = (standing: Standing): string => standingLook(standing)?.word ?? 'not run yet'

/** How far behind the module is that is furthest behind; undefined where none is. */
export const furthestBehind = ({ modules = [] }: Pick<StackDetail, 'modules'>): number | undefined => {
  const most = Math.max(0, ...modules.map(({ behind = 0 }) => behind))
  return most === 0 ? undefined : most
}
