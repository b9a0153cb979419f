import type { ApplyPolicy, GateFacts } from './facts.ts'
import type { Judge } from './judge.ts'
import { judgeApproval } from './layers/approval.ts'
import { judgeBase } from './layers/base.ts'
import { judgeCheck } from './layers/check.ts'
import { judgeCodeOwners } from './layers/code-owners.ts'
import { judgeConfig } from './layers/config.ts'
import { judgeFourEyes } from './layers/four-eyes.ts'
import { judgeInFlight } from './layers/in-flight.ts'
import { judgeLock } from './layers/lock.ts'
import { judgeMergeable } from './layers/mergeable.ts'
import { judgeMode } from './layers/mode.ts'
import { judgePermission } from './layers/permission.ts'
import { judgePlan } from './layers/plan.ts'
import { judgeProtect } from './layers/protect.ts'
import { judgeWindow } from './layers/window.ts'
import { rulesTaken } from './rules/take-rules.ts'
import { type GateFailure, type Layer, type LayerReport, layers, off, reportOf } from './verdict.ts'
import { type WhoCould, whoCould } from './who-could.ts'

export type { AskedFacts, GateFacts, PullFacts } from './facts.ts'
export type { GateFailure, Layer, LayerReport, Verdict } from './verdict.ts'

/** The gate's answer: allowed exactly if nothing fails; the layers say why, with the facts behind each, and `could` who could help. */
export type GateReport = { allowed: boolean; failures: GateFailure[]; layers: LayerReport[]; could?: WhoCould }

/** What each layer decided from, without the failures, which are listed for all. */
export const layerFacts = ({ layers }: GateReport): Omit<LayerReport, 'failures'>[] =>
  layers.map(({ failures: _, ...facts }) => facts)

const judges: Record<Exclude<Layer, 'config'>, Judge> = {
  mode: judgeMode,
  permission: judgePermission,
  approval: judgeApproval,
  mergeable: judgeMergeable,
  base: judgeBase,
  code_owners: judgeCodeOwners,
  four_eyes: judgeFourEyes,
  plan: judgePlan,
  protect: judgeProtect,
  check: judgeCheck,
  lock: judgeLock,
  in_flight: judgeInFlight,
  window: judgeWindow,
}

const noPull = 'A manual run has no pull request'

/** Layers that are not asked for a kind of apply, with the reason. */
const unasked: Record<GateFacts['how'], Partial<Record<Layer, string>>> = {
  comment: {},
  dry_run: {},
  on_merge: {
    permission: 'The code host allowed the merge',
    mergeable: 'The pull request is merged',
  },
  manual: {
    mode: 'API keys apply in every mode',
    permission: 'An API key is an administrator',
    approval: noPull,
    mergeable: noPull,
    base: noPull,
    code_owners: noPull,
    four_eyes: noPull,
    plan: noPull,
    protect: noPull,
    check: 'A manual run reports its checks itself',
    lock: 'A manual run takes its locks before it starts',
    in_flight: noPull,
    window: 'An API key is an administrator',
  },
}

/** Layers that only some policies have are left out for the others: a list of what nobody asks for hides what is asked. */
const isLayerOf = (policy: ApplyPolicy | undefined, layer: Layer): boolean => {
  if (layer === 'protect') return policy?.rules.some(({ protect }) => protect !== undefined) ?? false
  return layer !== 'window' || (policy?.windows.length ?? 0) > 0
}

/**
 * The apply gate (docs/gate.md). It judges every layer and lists all failures at once, in the order of `layers`. Pure: it knows
 * only what it is given, and what it does not know refuses. A dry run is judged like a comment; only there may the person who
 * asks be unknown.
 */
export const evaluateGate = (facts: GateFacts): GateReport => {
  const policy = facts.policy.ok ? facts.policy.config.apply : undefined
  const taken = facts.how === 'manual' ? undefined : rulesTaken(facts)
  const asked = layers.filter((layer) => isLayerOf(policy, layer))
  const reports = asked.map((layer) => {
    if (layer === 'config') return reportOf(layer, judgeConfig(facts.policy))
    const reason = unasked[facts.how][layer]
    if (reason !== undefined || facts.how === 'manual') return reportOf(layer, off(reason ?? noPull))
    return reportOf(layer, judges[layer](facts, policy, taken))
  })
  const failures = reports.flatMap((report) => report.failures)
  const could = whoCould(failures)
  return { allowed: failures.length === 0, failures, layers: reports, ...(could === undefined ? {} : { could }) }
}
