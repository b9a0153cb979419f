import type { Test } from 'tap'
import { planningJob } from './planning.ts'

type Options = Parameters<typeof planningJob>[1]

/** A dispatched apply of the stack `network`, with these fields in its entry of the matrix. */
export const applyingJob = async (t: Test, options: Options = {}, entry: object = {}) => {
  const job = await planningJob(t, options)
  const env = job.dispatched('apply', entry)
  const apply = (args: readonly string[] = [], given: Parameters<typeof job.run>[1] = {}) =>
    job.run(['apply', ...args], { ...given, env: { ...env, ...given.env } })
  /** Commands of the tool that were called, without their flags. */
  const verbs = (): string[] =>
    (job.read('network/calls') ?? '').split('\n').flatMap((line) => line.split(' ')[0] || [])
  return { ...job, apply, verbs, entry }
}
