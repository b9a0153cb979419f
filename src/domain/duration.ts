const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * Milliseconds of a duration such as `24h`, `7d`, `1h30m` or `90s`; undefined if the text is not one, or the duration is zero.
 */
export const parseDuration = (text: string): number | undefined => {
  if (!/^(\d{1,9}(ms|s|m|h|d))+$/.test(text)) return undefined
  let total = 0
  for (const [, amount, unit] of text.matchAll(/(\d{1,9})(ms|s|m|h|d)/g))
    total += Number(amount) * (UNITS[unit ?? ''] ?? 0)
  return total > 0 ? total : undefined
}
