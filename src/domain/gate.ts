import { judgeApproval } from './gate/approval.ts'
import { judgeCheck } from './gate/check.ts'
import { judgeCodeOwners } from './gate/code-owners.ts'
import { judgeConfig } from './gate/config.ts'
import type { GateFacts, Judge } from './gate/facts.ts'
import { judgeFourEyes } from './gate/four-eyes.ts'
import { judgeInFlight } from './gate/in-flight.ts'
import { judgeLock } from './gate/lock.ts'
import { judgeMergeable } from './gate/mergeable.ts'
import { judgeMode } from './gate/mode.ts'
import { judgePermission } from './gate/permission.ts'
import { judgePlan } from './gate/plan.ts'
import { type GateFailure, type Layer, type LayerReport, layers, off, reportOf } from './gate/verdict.ts'

export type { AskedFacts, GateFacts, PullFacts } from './gate/facts.ts'
export type { GateFailure, Layer, LayerReport, Verdict } from './gate/verdict.ts'

/** The gate's answer: allowed exactly when nothing fails; the layers say why, with the facts behind each. */
export type GateReport = { allowed: boolean; failures: GateFailure[]; layers: LayerReport[] }

const judges: Record<Exclude<Layer, 'config'>, Judge> = {
  mode: judgeMode,
  permission: judgePermission,
  approval: judgeApproval,
  mergeable: judgeMergeable,
  code_owners: judgeCodeOwners,
  four_eyes: judgeFourEyes,
  plan: judgePlan,
  check: judgeCheck,
  lock: judgeLock,
  in_flight: judgeInFlight,
}

const noPull = 'A manual run has no pull request'

/** Layers that a kind of apply does not ask, with why. */
const unasked: Record<GateFacts['how'], Partial<Record<Layer, string>>> = {
  comment: {},
  dry_run: {},
  on_merge: {
    mode: 'Merging is how this repository applies',
    permission: 'Who merges was allowed to by the code host',
    mergeable: 'The pull request is merged',
  },
  manual: {
    mode: 'API keys apply in every mode',
    permission: 'An API key is an administrator',
    approval: noPull,
    mergeable: noPull,
    code_owners: noPull,
    four_eyes: noPull,
    plan: noPull,
    check: 'The checks of a manual run are reported by itself',
    lock: 'Its locks are taken before it is answered',
    in_flight: noPull,
  },
}

/**
 * The apply gate (spec, 'Authentication'): every layer is judged, so that all failures come at once, in the order of
 * `layers`. Pure: what it is not given it does not know, and what it does not know refuses. A dry run is judged as a
 * comment is; only there may it be open who asks.
 */
export const evaluateGate = (facts: GateFacts): GateReport => {
  const policy = facts.policy.ok ? facts.policy.config.apply : undefined
  const reports = layers.map((layer) => {
    if (layer === 'config') return reportOf(layer, judgeConfig(facts.policy))
    const reason = unasked[facts.how][layer]
    if (reason !== undefined || facts.how === 'manual') return reportOf(layer, off(reason ?? noPull))
    return reportOf(layer, judges[layer](facts, policy))
  })
  const failures = reports.flatMap((report) => report.failures)
  return { allowed: failures.length === 0, failures, layers: reports }
}
