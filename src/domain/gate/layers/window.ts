import type { Judge } from '../judge.ts'
import { listed } from '../listed.ts'
import { type Evidence, off, unknown, unlessObjected } from '../verdict.ts'
import { keptBy, keptText, opensText } from '../windows.ts'
import { noPolicy } from './config.ts'

/** Applies may begin now, by the clock of the database, or the person who asks is one whom the window does not keep. */
export const judgeWindow: Judge = (facts, policy) => {
  if (policy === undefined) return unknown(noPolicy)
  if (policy.windows.length === 0) return off('Applies may begin at any time (apply.windows)')
  if (facts.at === undefined) {
    const what = 'What time it is could not be read from the database'
    return unlessObjected('', [], [{ verdict: 'unknown', name: 'clock', what, next: 'Try again in a few minutes' }])
  }
  const kept = keptBy(policy.windows, facts, new Date(facts.at))
  if (kept === undefined) return unlessObjected('Applies may begin now', [{ holds: true, text: `it is ${facts.at}` }])
  const opens = opensText(kept)
  const evidence: Evidence = {
    holds: false,
    text: `it is ${facts.at}`,
    ...(kept.opensAt === undefined ? {} : { opens_at: kept.opensAt.toISOString() }),
  }
  const teams = [...new Set(kept.windows.flatMap((one) => one.except_teams))]
  const unclear =
    kept.unclear.length === 0 ? '' : `; whether ${facts.requester} is in ${listed(kept.unclear)} could not be read`
  const wait =
    opens === undefined
      ? 'No window opens within a year: change apply.windows on the default branch'
      : `Wait until ${opens}`
  return unlessObjected(
    '',
    [evidence],
    [
      {
        verdict: opens === undefined ? 'fail' : 'pending',
        name: opens === undefined ? 'never' : 'closed',
        what: `Now ${keptText(kept)}${unclear}`,
        next: teams.length === 0 ? wait : `${wait}, or have a member of ${listed(teams)} ask for the apply`,
      },
    ],
  )
}
