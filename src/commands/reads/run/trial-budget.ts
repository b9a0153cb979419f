import type { Clock } from '#clock.ts'
import { limits } from '#domain/limits.ts'
import { Problem } from '#errors.ts'

/** What trials of the gate may ask the code host. */
export type TrialBudget = {
  /** Notes so many questions of a person to an installation; throws unavailable, and notes none, if they are too many for this hour. */
  spend(asker: { installationId: number; account: number }, questions: number): void
}

const hourMs = 3_600_000

/**
 * The code host answers 5,000 requests an hour for an installation, from its applies, too: who may only read must not use them up by trying. In the
 * memory of this process, a number for each person who tried anything within the hour: with several instances there is as much of
 * each, and a start forgets it, which a limit that leaves most of the 5,000 can bear.
 */
export const createTrialBudget = (clock: Clock): TrialBudget => {
  const hours = new Map<string, { asked: number; until: number }>()
  return {
    spend: ({ installationId, account }, questions) => {
      const now = clock.now().getTime()
      // the first of a map is the oldest
      for (const [who, { until }] of hours) {
        if (until > now) break
        hours.delete(who)
      }
      const who = `${installationId} ${account}`
      const hour = hours.get(who) ?? { asked: 0, until: now + hourMs }
      if (hour.asked + questions > limits.trialQuestions) {
        const most = `trials of one person ask the code host ${limits.trialQuestions} questions an hour at most`
        throw new Problem('unavailable', `${most}: try again later`, { retryAfter: (hour.until - now) / 1000 })
      }
      hour.asked += questions
      hours.set(who, hour)
    },
  }
}
