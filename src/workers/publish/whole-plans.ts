import { text } from 'node:stream/consumers'
import { StoreRefusal } from '#artifacts/port.ts'
import { findPlanText } from '#db/runs/plan-texts.ts'
import { commentLimit } from '#domain/comments/pull-comment.ts'
import type { ReportedStack, RunReport } from '#domain/run-report.ts'
import type { HandlerDeps, Stopping } from '../handler.ts'

/** A stack of a report with its whole plan text in place of the beginning; undefined if that cannot be read now. */
export type ReadWhole = (stack: ReportedStack) => Promise<ReportedStack | undefined>

type ReadDeps = Pick<HandlerDeps, 'pool' | 'artifacts' | 'log'> & Stopping

/**
 * Reads whole plan texts for one job, from the row or from the bucket. After the first failure to read the bucket, it is not
 * asked again: a run of 600 stacks would wait 600 times for a store that is down.
 */
export const readsWhole = ({ pool, artifacts, log, signal }: ReadDeps): ReadWhole => {
  let isDown = artifacts === undefined
  const fromBucket = async (url: string): Promise<string | undefined> => {
    if (isDown || !artifacts) return undefined
    try {
      const object = await artifacts.get(url, AbortSignal.any([signal, AbortSignal.timeout(readMs)]))
      return object && (await text(object.body))
    } catch (error) {
      signal.throwIfAborted()
      isDown = true
      const advice = error instanceof StoreRefusal ? ': reading needs s3:GetObject and s3:ListBucket' : ''
      log.warn({ err: error }, `a plan is shown without its end, the artifact bucket cannot be read${advice}`)
      return undefined
    }
  }
  return async (stack) => {
    const { plan_more: more, ...whole } = stack
    if (!more) return stack
    const row = await findPlanText(pool, { runId: more.run_id, stackId: stack.stack_id })
    const plan = row?.is_cut && row.plan_url !== null ? await fromBucket(row.plan_url) : row?.plan_text
    return plan ? { ...whole, plan_text: plan } : undefined
  }
}

const readMs = 10_000

/** The report with as many whole plans as a comment has room for: the smallest, so at most seven are read. */
export const withWholePlans = async (report: RunReport, read: ReadWhole): Promise<RunReport> => {
  const sizeOf = (stack: ReportedStack): number => stack.plan_more?.bytes ?? stack.plan_text?.length ?? 0
  let room = commentLimit
  const fitting = new Set<ReportedStack>()
  for (const stack of [...report.stacks].sort((one, other) => sizeOf(one) - sizeOf(other))) {
    room -= sizeOf(stack)
    if (room < 0) break
    if (stack.plan_more) fitting.add(stack)
  }
  const wholes = new Map<ReportedStack, ReportedStack>()
  for (const stack of fitting) wholes.set(stack, (await read(stack)) ?? stack)
  return { ...report, stacks: report.stacks.map((stack) => wholes.get(stack) ?? stack) }
}
