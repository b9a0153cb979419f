import { failures } from './failures.ts'
import { nextDelay, type Pace } from './rhythm.ts'

type Asked = { state: { data: unknown }; queryHash: string }

/** The rhythm of what is read once: it is asked for again until it is answered. */
export const untilAnswered =
  (pace: Pace) =>
  ({ state, queryHash }: Asked): number | false =>
    state.data === undefined && nextDelay(pace, failures.of(queryHash))
