/** Where the time comes from: passed in, so that a test can stand in any minute it likes. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }
