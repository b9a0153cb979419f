import { rmSync } from 'node:fs'
import type { StackResult } from '#domain/result.ts'
import { maskAddress } from '../mask/mask-address.ts'
import { failureOf } from './failed.ts'
import type { StackWork } from './run-tool.ts'

/** Addresses may hold the keys of maps. */
const maskSummary = ({ masks }: StackWork, { summary, ...rest }: StackResult): StackResult => {
  if (summary === undefined) return rest
  const hidden = Object.entries(summary).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((address) => maskAddress(masks, address)) : value,
  ])
  return { ...rest, summary: Object.fromEntries(hidden) as typeof summary }
}

/**
 * Works on one stack and returns the result to report, masked and within the limits. A failure is a result too, with what `known`
 * held by then; only an error of the client itself is thrown. Nothing of an earlier plan is left over.
 */
export const attempt = async (
  stack: StackWork,
  mode: StackResult['mode'],
  act: (known: Partial<StackResult>) => Promise<Omit<StackResult, 'mode'>>,
): Promise<StackResult> => {
  const started = performance.now()
  const { key } = stack.job
  const json = stack.work.planJson(key)
  for (const left of [stack.work.plan(key), json]) rmSync(left, { force: true })
  const known: Partial<StackResult> = {}
  const result = await act(known).catch((error: unknown) => {
    const failure = failureOf(error)
    rmSync(json, { force: true })
    return failure
  })
  const duration = Math.round(performance.now() - started)
  return maskSummary(stack, { ...known, ...result, mode, duration_ms: duration })
}
