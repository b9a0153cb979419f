import { countable, openWave, type Settled, settling, sum, type Tally } from './tallies.ts'

/*
 * What a settled stack means for its run, read off the tallies after it was counted. One phrase decides the transition. The
 * phrases are the table, so a state and its documentation cannot drift apart.
 */

type Standing = {
  mode: 'plan' | 'apply' | 'drift'
  wave: number
  tallies: readonly Tally[]
  asks_windows?: boolean | undefined
}

/** While planning: all waves are out at once, so only the last result decides. */
export const planVerdicts = {
  open: 'others open',
  planned: 'last; all succeeded',
  failed: 'last; any failed or unknown',
  unconfirmed: 'last; none failed or unknown, any unconfirmed',
} as const

/** While applying: the current wave decides. */
export const waveVerdicts = {
  open: 'wave still open; nothing failed',
  failing: 'wave still open; this stack failed or is unconfirmed',
  draining: 'wave still open; a stack failed, is unknown or unconfirmed',
  advance: 'wave done, all succeeded; more waves',
  ask: 'wave done, all succeeded; more waves, which windows may hold',
  applied: 'wave done, all succeeded; last wave',
  failed: 'wave done; any failed or unknown',
  unconfirmed: 'wave done; none failed or unknown, any unconfirmed',
} as const

/** After a failed run: news of blocked and skipped stacks, and late results for unknown ones. */
export const lateVerdicts = {
  counted: 'something else keeps the run failed',
  planned: 'late result; every stack of a plan has now succeeded',
  applied: 'late result; every stack of an apply has now succeeded',
  unconfirmed: 'late result; none failed or unknown any more, any unconfirmed',
} as const

export type PlanVerdict = keyof typeof planVerdicts
export type WaveVerdict = keyof typeof waveVerdicts
export type LateVerdict = keyof typeof lateVerdicts

/**
 * The number in this status once `settled` is counted; a message gone astray yields no verdict at all, hence `undefined` below.
 */
const countAfter = (tallies: readonly Tally[], settled: Settled, field: keyof Tally): number =>
  sum(tallies, field) +
  settling(settled) * (Number(settled.outcome === field) - Number((settled.from ?? 'open') === field))

export const planVerdict = ({ tallies }: Standing, settled: Settled): PlanVerdict | undefined => {
  if (!countable(tallies, settled)) return undefined
  const standing = (field: keyof Tally) => countAfter(tallies, settled, field)
  if (standing('open') > 0) return 'open'
  if (standing('failed') + standing('unknown') > 0) return 'failed'
  return standing('unconfirmed') > 0 ? 'unconfirmed' : 'planned'
}

/**
 * A failed or unconfirmed stack blocks its dependents at once. An unknown one blocks them only at the end of the wave: if a
 * late result arrives before, a stack that succeeded has blocked nothing, and the run goes on.
 */
export const waveVerdict = (
  { tallies, wave, asks_windows: asks }: Standing,
  settled: Settled,
): WaveVerdict | undefined => {
  if (!countable(tallies, settled)) return undefined
  const standing = (field: keyof Tally) => countAfter(tallies, settled, field)
  const failed = standing('failed') + standing('unknown')
  const unconfirmed = standing('unconfirmed')
  const unreached = standing('blocked') + standing('skipped')
  const isOfWave = settled.wave === wave && settled.from === undefined
  const current = (tallies[wave]?.open ?? 0) - (isOfWave ? settling(settled) : 0)
  if (current > 0) {
    if (settled.outcome === 'failed' || settled.outcome === 'unconfirmed') return 'failing'
    return failed + unconfirmed + unreached > 0 ? 'draining' : 'open'
  }
  if (failed > 0) return 'failed'
  if (unconfirmed > 0) return 'unconfirmed'
  if (unreached > 0) return 'failed'
  if (openWave(tallies, wave + 1) < 0) return 'applied'
  return asks ? 'ask' : 'advance'
}

export const lateVerdict = ({ mode, tallies }: Standing, settled: Settled): LateVerdict | undefined => {
  if (!countable(tallies, settled)) return undefined
  const standing = (field: keyof Tally) => countAfter(tallies, settled, field)
  if (settled.from === undefined || standing('open') + standing('failed') + standing('unknown') > 0) return 'counted'
  if (standing('unconfirmed') > 0) return 'unconfirmed'
  if (standing('blocked') + standing('skipped') > 0) return 'counted'
  return mode === 'apply' ? 'applied' : 'planned'
}
