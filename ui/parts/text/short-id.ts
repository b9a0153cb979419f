/**
 * The beginning of an id, which the search and `svc run` take: it holds the millisecond in which the id was made. Its first eight
 * characters alone stay the same for a minute, and with them all runs of that minute.
 */
export const shortId = (id: string): string => id.slice(0, 13)
