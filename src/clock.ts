/** The source of the time: passed in, so a test can set any minute it likes. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }
