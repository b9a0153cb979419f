import type { Chronicle } from './chronicle.ts'
import type { DatabaseState } from './database.ts'
import type { InstanceState } from './instance.ts'
import type { Probe } from './prober.ts'

/** How readiness followed the database, in milliseconds: the longest times. */
export type ReadinessFigures = { probes: number; notReadyAfter: number; readyAfter: number }

/** The readiness answers of an instance, and its states. */
export type Probed = { name: string; chronicle: Chronicle<InstanceState>; probes: readonly Probe[] }

/** By when an instance must know that its database is back. */
const backMs = 4000
/** By when it must report that its database is gone: two seconds, and a busy machine's time for the answer. */
const goneMs = 2700
/** It keeps answering for this long. */
const lameDuckMs = 1000
/** A signal, or a mark here, takes effect up to this much later. */
const slackMs = 150

/**
 * Where readiness was wrong: a healthy instance that reaches its database is ready, whatever the code host does; one without
 * its database is not, nor is one that got SIGTERM. Moments of change are left out, but not for long.
 */
export const lies = (probed: readonly Probed[], database: Chronicle<DatabaseState>): string[] => [
  ...probed.flatMap(hiddenEnds),
  ...probed.flatMap(({ name, chronicle, probes }) =>
    probes.flatMap((probe) => {
      const from = probe.from - slackMs
      const to = probe.to + slackMs
      const said = `${name} said ${probe.status ?? 'nothing'} after ${Math.round(probe.to - probe.from)} ms`
      if (chronicle.wasAlways('ending', probe.from - slackMs, probe.to))
        return probe.status === 200 ? [`${said}, ending`] : []
      if (chronicle.wasAlways('astray', from, to)) return probe.status === 503 ? [] : [`${said} with a wrong clock`]
      if (!chronicle.wasAlways('up', from, to)) return []
      if (database.wasAlways('up', from - backMs, to))
        return probe.status === 200 ? [] : [`${said}, though all was well`]
      if (database.wasAlways('down', from, to) || database.wasAlways('frozen', from, to))
        return probe.status === 503 && probe.to - probe.from < goneMs ? [] : [`${said} without a database`]
      return []
    }),
  ),
]

/** An instance that got SIGTERM says so while it still answers, so a balancer looks elsewhere before it is refused. */
const hiddenEnds = ({ name, chronicle, probes }: Probed): string[] =>
  chronicle
    .entries('ending')
    .filter((at) => !probes.some(({ from, status }) => from >= at && from < at + lameDuckMs && status === 503))
    .map(() => `${name} ended without announcing it`)

/** The longest times until 503 reported a database gone, and 200 reported it back. */
export const readinessFigures = (probed: readonly Probed[], database: Chronicle<DatabaseState>): ReadinessFigures => {
  const longest = (state: DatabaseState, status: number): number =>
    Math.max(
      0,
      ...database.entries(state).flatMap((at) =>
        probed.flatMap(({ chronicle, probes }) => {
          const next = probes.find((probe) => probe.from >= at && probe.status === status)
          return next && chronicle.wasAlways('up', at, next.to) ? [next.to - at] : []
        }),
      ),
    )
  return {
    probes: probed.reduce((sum, { probes }) => sum + probes.length, 0),
    notReadyAfter: Math.round(Math.max(longest('falling', 503), longest('frozen', 503))),
    // the first entry is the start
    readyAfter: Math.round(longest('up', 200)),
  }
}
