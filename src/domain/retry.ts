/**
 * Seconds before each further attempt at an event or job (docs/interface.md, 'Events'): 1 min, 5 min, 30 min, 2 h. The fifth is
 * the last.
 */
const queueDelays = [60, 300, 1800, 7200] as const

/** How often an event or job is tried. */
export const queueAttempts = queueDelays.length + 1

/**
 * Milliseconds before each further attempt of a client's request that got no answer, or a 5xx (docs/interface.md, 'Errors').
 */
export const clientDelays = [200, 800, 2000] as const

/**
 * Seconds to wait after the attempt with this number (counted from 1) failed; undefined if it was the last: the row is dead.
 */
export const retryDelay = (attempt: number): number | undefined => queueDelays[attempt - 1]
