import { windowState } from '#domain/calendar/windows.ts'
import type { RepoConfig } from '#domain/config/config-file.ts'
import type { Finding } from './finding.ts'

type Window = RepoConfig['apply']['windows'][number]

/** Whether a time is ever in a window again: judged as if applies began at its times alone. */
const comes = ({ allow, deny, time_zone }: Window, now: Date): boolean => {
  const state = windowState([{ allow: allow ?? deny, time_zone }], now)
  return state.open || state.opensAt !== undefined
}

/**
 * Windows that are over or name no day, and windows that together never let an apply begin. Seen from now on for some 13 months:
 * whatever comes each year comes in these, but for the 29th of February.
 */
export const shutWindows = ({ apply: { windows } }: RepoConfig, now: Date): Finding[] => {
  const gone = windows.flatMap((window, i): Finding[] => {
    if (comes(window, now)) return []
    const key = window.deny === undefined ? 'allow' : 'deny'
    return [{ path: ['apply', 'windows', i, key], message: `'${window[key]}' names no time of the next 13 months` }]
  })
  const state = windowState(windows, now)
  if (state.open || state.opensAt !== undefined) return gone
  const [first = 0] = state.places
  const members = windows.some(({ except_teams: teams }) => teams.length > 0) ? ', but for members of except_teams' : ''
  const message = `no apply may begin in the next 13 months by these windows together${members}`
  return [...gone, { path: ['apply', 'windows', first], message }]
}
