/** What state something was in, and when, in milliseconds of `performance.now()`. */
export type Chronicle<S extends string> = {
  enter(state: S, at?: number): void
  now(): S
  /** Every state that it was in during this time. */
  during(from: number, to: number): S[]
  /** Whether it was in that state, and in no other, all this time. */
  wasAlways(state: S, from: number, to: number): boolean
  /** When it entered the state, each time. */
  entries(state: S): number[]
}

export const createChronicle = <S extends string>(first: S, since = performance.now()): Chronicle<S> => {
  const entered: { state: S; at: number }[] = [{ state: first, at: since }]
  const during = (from: number, to: number): S[] =>
    entered
      .filter(({ at }, index) => at <= to && (entered[index + 1]?.at ?? Infinity) >= from)
      .map(({ state }) => state)
  return {
    enter: (state, at = performance.now()) => void entered.push({ state, at }),
    now: () => entered.at(-1)?.state ?? first,
    during,
    wasAlways: (state, from, to) => during(from, to).every((one) => one === state),
    entries: (state) => entered.filter((one) => one.state === state).map(({ at }) => at),
  }
}
