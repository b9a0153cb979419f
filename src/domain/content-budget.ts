/** Writes in each minute that had any; `minute` is its beginning in seconds since 1970. */
export type Spent = readonly { minute: number; writes: number }[]

export type Budget = { perMinute: number; perHour: number }

/**
 * GitHub's limits for one installation: "no more than 80 content-generating requests per minute and no more than 500 per hour"
 * (REST, 'Rate limits for the REST API'). It does not list which requests generate content.
 */
const wholeBudget: Budget = { perMinute: 80, perHour: 500 }

/**
 * How much of the budget each sort of write may use up. A dispatch that somebody waits for must never wait behind what is only
 * shown, and what shows a whole run must not wait behind 600 check runs of its stacks: each sort leaves room for those before
 * it.
 */
const shares = { dispatch: 1, whole: 0.9, stack: 0.7 } as const
export type Share = keyof typeof shares

export const budgetOf = (share: Share): Budget => ({
  perMinute: Math.floor(wholeBudget.perMinute * shares[share]),
  perHour: Math.floor(wholeBudget.perHour * shares[share]),
})

/** The part of the previous minute that is less than a minute ago: writes are counted by minute, but the window slides. */
export const weightOfLastMinute = (seconds: number): number => 1 - (seconds % 60) / 60

const room = (spent: Spent, seconds: number, budget: Budget): number => {
  const minute = Math.floor(seconds / 60) * 60
  const within = (from: number): number =>
    spent.reduce((sum, entry) => (entry.minute >= from && entry.minute <= minute ? sum + entry.writes : sum), 0)
  const now = within(minute)
  const ofMinute = now + Math.ceil((within(minute - 60) - now) * weightOfLastMinute(seconds))
  return Math.min(budget.perMinute - ofMinute, budget.perHour - within(minute - 59 * 60))
}

/** Whether there is room for one more now. */
export const hasRoom = (spent: Spent, at: Date, budget: Budget): boolean => room(spent, +at / 1000, budget) > 0

/** Seconds until there is room for one more, if nobody else writes meanwhile. */
export const secondsUntilRoom = (spent: Spent, at: Date, budget: Budget): number => {
  const now = Math.floor(+at / 1000)
  for (let wait = 1; wait < 3600; wait += 1) if (room(spent, now + wait, budget) > 0) return wait
  return 3600
}
