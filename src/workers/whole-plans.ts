import { text } from 'node:stream/consumers'
import { StoreRefusal } from '#artifacts/port.ts'
import { findPlanText } from '#db/plan-texts.ts'
import { commentLimit } from '#domain/pull-comment.ts'
import type { ReportedStack, RunReport } from '#domain/run-report.ts'
import type { HandlerDeps, Stopping } from './handler.ts'

/** A stack of a report with the whole of its plan text in the place of its beginning; undefined where that cannot be had now. */
export type ReadWhole = (stack: ReportedStack) => Promise<ReportedStack | undefined>

type ReadDeps = Pick<HandlerDeps, 'pool' | 'artifacts' | 'log'> & Stopping

/**
 * Reads whole plan texts for one job, from the row or from the bucket. The first time that the bucket cannot be read is the last
 * time it is asked: a run of 600 stacks would wait 600 times for a store that is down.
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

/** The report with those plans whole that a comment has room for: the smallest, so seven at most are read. */
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
