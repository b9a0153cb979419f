import { shortSha } from '#domain/run-report.ts'
import type { Judge } from '../facts.ts'
import { listed } from '../listed.ts'
import { evidenceOf, type Opinion, opinionsOf } from '../reviews.ts'
import { type Objection, off, unknown, unlessObjected } from '../verdict.ts'
import { noPolicy } from './config.ts'

const lacking = (head: string, needed: number, opinions: readonly Opinion[]): Objection => {
  const count = opinions.filter(({ worth }) => worth === 'counts').length
  const open = opinions.filter(({ worth }) => worth === 'unknown').length
  const others = opinions.filter(({ worth }) => worth !== 'counts').map(({ text }) => text)
  const why = others.length === 0 ? '' : `; not counted: ${listed(others)}`
  return {
    verdict: count + open >= needed ? 'unknown' : 'fail',
    name: 'approvals',
    what: `${count} of ${needed} needed ${needed === 1 ? 'approval' : 'approvals'} of the head commit ${shortSha(head)}${why}`,
    next: `Ask somebody with push permission other than the author to approve ${shortSha(head)}`,
  }
}

/** Enough people with push permission approved the head commit: an approval covers what was read, not what came later. */
export const judgeApproval: Judge = (facts, policy) => {
  const opinions = opinionsOf(facts)
  const evidence = opinions.map(evidenceOf)
  if (policy === undefined) return unknown(noPolicy, evidence)
  const needed = policy.approvals
  if (needed === 0) return off('No approval is required (apply.approvals: 0)')
  const count = opinions.filter(({ worth }) => worth === 'counts').length
  const objections = count >= needed ? [] : [lacking(facts.pull.headSha, needed, opinions)]
  return unlessObjected(
    `${count} of ${needed} needed approvals of ${shortSha(facts.pull.headSha)}`,
    evidence,
    objections,
  )
}
